//! One request, sent and read in the plain blocking way: for sanity checks and for waiting until a server is up.

use super::http::{Progress, Response};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// A complete answer.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub head: Vec<u8>,
    pub body: Vec<u8>,
    pub took: Duration,
}

/// Sends the bytes of a request over a connection of its own, and reads its answer.
pub fn fetch(address: SocketAddr, request: &[u8], timeout: Duration) -> Result<Answer, String> {
    let began = Instant::now();
    let mut stream = TcpStream::connect_timeout(&address, timeout).map_err(|e| format!("connect: {e}"))?;
    let mut response = Response::default();
    let mut buffer = vec![0; 64 << 10];
    let left = |began: Instant| match timeout.saturating_sub(began.elapsed()) {
        Duration::ZERO => Err(format!("no complete answer within {} ms", timeout.as_millis())),
        left => Ok(left),
    };
    stream.set_write_timeout(Some(left(began)?)).map_err(|e| e.to_string())?;
    stream.write_all(request).map_err(|e| format!("sending: {e}"))?;
    loop {
        stream.set_read_timeout(Some(left(began)?)).map_err(|e| e.to_string())?;
        let n = match stream.read(&mut buffer) {
            Ok(n) => n,
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => continue,
            Err(e) => return Err(format!("reading: {e}")),
        };
        let complete = if n == 0 {
            if !response.closed() {
                return Err("the connection was closed before the answer was complete".into());
            }
            true
        } else {
            matches!(response.feed(&buffer[..n]).map_err(|e| e.0.to_owned())?, Progress::Complete(_))
        };
        if complete {
            let (head, body) = (response.head().to_vec(), response.body().to_vec());
            return Ok(Answer { status: response.status(), head, body, took: began.elapsed() });
        }
    }
}
