//! A client that sends bytes as they are and reads answers; no library would send what these cases send.

use super::{ANSWER_WAIT_MAX, Wrong};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

/// No answer of a case is larger.
const BODY_BYTES_MAX: usize = 64 << 20;

pub struct Client {
    pub stream: BufReader<TcpStream>,
}

pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// For a message: status, header fields, the beginning of the body.
    pub fn shown(&self) -> String {
        let mut text = format!("    {}\n", self.status);
        for (name, value) in &self.headers {
            text.push_str(&format!("    {name}: {value}\n"));
        }
        let body = String::from_utf8_lossy(&self.body[..self.body.len().min(2000)]);
        text + &body.lines().map(|line| format!("    | {line}\n")).collect::<String>()
    }
}

impl Client {
    pub fn connect(address: SocketAddr) -> Result<Client, Wrong> {
        let stream = TcpStream::connect_timeout(&address, ANSWER_WAIT_MAX).map_err(|e| format!("cannot connect: {e}"))?;
        let set = stream.set_read_timeout(Some(ANSWER_WAIT_MAX)).and_then(|()| stream.set_write_timeout(Some(ANSWER_WAIT_MAX)));
        set.map_err(|e| format!("cannot connect: {e}"))?;
        Ok(Client { stream: BufReader::new(stream) })
    }

    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// The next answer; `to_head`: to a HEAD request, which has no body.
    pub fn answer(&mut self, to_head: bool) -> Result<Answer, Wrong> {
        self.read_answer(to_head).map_err(|e| match e.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => format!("no answer within {} s", ANSWER_WAIT_MAX.as_secs()),
            io::ErrorKind::UnexpectedEof => "the connection was closed without a whole answer".to_owned(),
            _ => format!("no answer: {e}"),
        })
    }

    /// Whether bytes of an answer are there already.
    pub fn has_begun_to_answer(&mut self) -> Result<bool, Wrong> {
        let stream = self.stream.get_ref();
        let mut byte = [0];
        let peeked = stream.set_nonblocking(true).and_then(|()| match stream.peek(&mut byte) {
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => Ok(false),
            peeked => peeked.map(|_| true),
        });
        stream.set_nonblocking(false).and(peeked).map_err(|e| format!("the connection is broken: {e}"))
    }

    fn read_answer(&mut self, to_head: bool) -> io::Result<Answer> {
        let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
        loop {
            let line = self.line()?;
            let status = line.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)).and_then(|code| code.parse().ok());
            let status: u16 = status.ok_or_else(|| invalid(&format!("{line:?} is no status line")))?;
            let mut headers = Vec::new();
            loop {
                let line = self.line()?;
                if line.is_empty() {
                    break;
                }
                let (name, value) = line.split_once(':').ok_or_else(|| invalid(&format!("{line:?} is no header field")))?;
                headers.push((name.to_owned(), value.trim().to_owned()));
            }
            let mut answer = Answer { status, headers, body: Vec::new() };
            if status < 200 {
                continue;
            }
            if to_head || matches!(status, 204 | 304) {
                return Ok(answer);
            }
            if answer.header("Transfer-Encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
                loop {
                    let size = usize::from_str_radix(self.line()?.trim(), 16).map_err(|_| invalid("a malformed chunk"))?;
                    self.body(&mut answer.body, size)?;
                    self.line()?;
                    if size == 0 {
                        return Ok(answer);
                    }
                }
            }
            match answer.header("Content-Length").map(str::parse) {
                Some(Ok(length)) => self.body(&mut answer.body, length)?,
                Some(Err(_)) => return Err(invalid("a malformed Content-Length")),
                None => {
                    (&mut self.stream).take(BODY_BYTES_MAX as u64).read_to_end(&mut answer.body)?;
                }
            }
            return Ok(answer);
        }
    }

    fn body(&mut self, into: &mut Vec<u8>, length: usize) -> io::Result<()> {
        if length > BODY_BYTES_MAX {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the body is too long for a test"));
        }
        let from = into.len();
        into.resize(from + length, 0);
        self.stream.read_exact(&mut into[from..])
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = Vec::new();
        (&mut self.stream).take(1 << 20).read_until(b'\n', &mut line)?;
        match line.strip_suffix(b"\n") {
            Some(line) => Ok(String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned()),
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// The server has closed the connection, and sent nothing more before.
    pub fn must_be_closed(&mut self) -> Result<(), Wrong> {
        let mut byte = [0];
        match self.stream.read(&mut byte) {
            Ok(0) => Ok(()),
            // A server that closes while bytes come in is heard as a reset.
            Err(e) if e.kind() == io::ErrorKind::ConnectionReset => Ok(()),
            Ok(_) => Err("more was sent after the last expected answer".to_owned()),
            Err(e) => Err(format!("the connection was not closed: {e}")),
        }
    }
}

/// One request on a connection of its own.
pub fn request(address: SocketAddr, method: &str, target: &str) -> Result<Answer, Wrong> {
    let mut client = Client::connect(address)?;
    let head = format!("{method} {target} HTTP/1.1\r\nHost: attack.test\r\nConnection: close\r\n\r\n");
    client.send(head.as_bytes()).map_err(|e| format!("cannot send: {e}"))?;
    client.answer(method == "HEAD")
}

/// GET on a connection of its own; anything but 200 is wrong. The body.
pub fn get(address: SocketAddr, target: &str) -> Result<String, Wrong> {
    let answer = request(address, "GET", target).map_err(|why| format!("{target}: {why}"))?;
    match answer.status {
        200 => Ok(String::from_utf8_lossy(&answer.body).into_owned()),
        _ => Err(format!("{target}: status {} and not 200\n{}", answer.status, answer.shown())),
    }
}
