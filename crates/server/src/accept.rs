//! Accepting connections, and what becomes of those for which there is no room.

use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::server::conn::http1;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::sync::watch;

use crate::config::ServerConfig;
use crate::connection::{self, Connections, Stream};
use crate::executor::Executors;
use crate::head::HeadLimits;
use crate::listeners::{Listener, UnixPath};
use crate::request::ConnectionFacts;
use crate::service::{ExecutorContext, Requests};

pub(crate) fn http_builder(config: &ServerConfig) -> http1::Builder {
    let mut http = http1::Builder::new();
    // Deadlines are the sweep's, hence no timer here. Of heads, their limits have been looked at; bytes of targets may have become three.
    let head_bytes_max = config.head_bytes_max.saturating_mul(3).saturating_add(1 << 10);
    http.header_read_timeout(None)
        .max_header_size(head_bytes_max)
        .max_buf_size(head_bytes_max.max(64 << 10))
        .keep_alive(config.keep_alive_timeout_ms > 0)
        .title_case_headers(true)
        .half_close(false);
    if config.header_fields_max != 100 {
        // hyper keeps its default of 100 on the stack, and any other number on the heap.
        http.max_headers(config.header_fields_max);
    }
    http
}

pub(crate) enum Accepting {
    Tcp(TcpListener),
    Unix(UnixListener, Arc<UnixPath>),
}

impl Accepting {
    pub(crate) fn of(listener: Listener) -> io::Result<Accepting> {
        Ok(match listener {
            Listener::Tcp(listener) => Accepting::Tcp(TcpListener::from_std(listener)?),
            Listener::Unix(listener, path) => {
                Accepting::Unix(UnixListener::from_std(listener)?, path)
            }
        })
    }

    async fn accept(&self) -> io::Result<Accepted> {
        match self {
            Accepting::Tcp(listener) => {
                let (stream, remote) = listener.accept().await?;
                Accepted::tcp(stream, remote)
            }
            Accepting::Unix(listener, path) => Ok(Accepted::unix(listener.accept().await?.0, path)),
        }
    }
}

/// A new connection.
pub(crate) struct Accepted {
    stream: Stream,
    facts: ConnectionFacts,
    peer: String,
}

impl Accepted {
    /// Takes a connection that waits; on a thread that does not wait for them itself.
    pub(crate) fn waiting(listener: &Listener) -> io::Result<Option<Accepted>> {
        let accepted = match listener {
            Listener::Tcp(listener) => listener.accept().and_then(|(stream, remote)| {
                stream.set_nonblocking(true)?;
                Accepted::tcp(TcpStream::from_std(stream)?, remote)
            }),
            Listener::Unix(listener, path) => listener.accept().and_then(|(stream, _)| {
                stream.set_nonblocking(true)?;
                Ok(Accepted::unix(UnixStream::from_std(stream)?, path))
            }),
        };
        match accepted {
            Ok(accepted) => Ok(Some(accepted)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock || is_of_one_connection(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn tcp(stream: TcpStream, remote: SocketAddr) -> io::Result<Accepted> {
        stream.set_nodelay(true)?;
        let local = stream.local_addr()?;
        let text = |ip: std::net::IpAddr| Bytes::from(ip.to_canonical().to_string());
        let facts = ConnectionFacts {
            remote_addr: text(remote.ip()),
            remote_port: remote.port().to_string().into(),
            server_addr: text(local.ip()),
            server_port: local.port().to_string().into(),
            scheme: "http",
        };
        let peer = format!("{}:{}", remote.ip().to_canonical(), remote.port());
        Ok(Accepted { stream: Stream::Tcp(stream), facts, peer })
    }

    fn unix(stream: UnixStream, path: &UnixPath) -> Accepted {
        let facts = ConnectionFacts {
            remote_addr: Bytes::from_static(b"unix:"),
            server_addr: Bytes::from(format!("unix:{}", path.0.display())),
            scheme: "http",
            ..ConnectionFacts::default()
        };
        Accepted { stream: Stream::Unix(stream), facts, peer: "unix:".to_owned() }
    }
}

/// How long to wait, when there are too few descriptors, before looking again whether others have been closed.
const SHORTAGE_WAIT: Duration = Duration::from_millis(10);
/// How often a connection looks whether there is room for it.
const ROOM_LOOKS: u32 = 10;
/// The log says this often that there are too few.
const COMPLAIN_EVERY: Duration = Duration::from_secs(1);

/// Accepts connections from one socket for one executor.
pub(crate) struct Acceptor {
    pub context: Rc<ExecutorContext>,
    pub connections: Rc<Connections>,
    pub http: Rc<http1::Builder>,
    pub stopped: watch::Receiver<bool>,
}

impl Acceptor {
    pub(crate) async fn run(mut self, listener: Accepting) {
        let mut complained = None;
        loop {
            let accepted = tokio::select! {
                biased;
                _ = self.stopped.wait_for(|stop| *stop) => return,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok(accepted) => {
                    self.begin(accepted);
                    // With a shared socket an idle executor takes the next one, while this one serves.
                    tokio::task::yield_now().await;
                }
                Err(error) if is_of_one_connection(&error) => {}
                Err(error) => {
                    // Out of descriptors or memory: accepting again at once would spin.
                    self.make_room();
                    if complained.is_none_or(|at: Instant| at.elapsed() > COMPLAIN_EVERY) {
                        complained = Some(Instant::now());
                        (self.context.config.error_log)(&format!(
                            "cannot accept connections: {error}; idle ones are closed, and more descriptors help (ulimit -n)"
                        ));
                    }
                    tokio::time::sleep(SHORTAGE_WAIT).await;
                }
            }
        }
    }

    /// Closes idle connections, here or, if there are none, where the other executors have some. False: none here.
    pub(crate) fn make_room(&self) -> bool {
        let found = self.connections.close_oldest_idle();
        if !found {
            self.context.executors.close_idle_of_others(self.context.id);
        }
        found
    }

    /// Serves a connection, if there is room for it.
    pub(crate) fn begin(&self, accepted: Accepted) {
        let Accepted { stream, facts, peer } = accepted;
        let place = ConnectionPlace::take(&self.context.executors);
        let is_full = !self.context.executors.has_room_for_connections();
        let found_room = if is_full || stream.number() >= self.context.executors.descriptors.short_from {
            self.make_room()
        } else {
            true
        };
        self.context.log.connection(&peer, "Accepted");
        let registration = self.connections.add();
        let requests = Requests::new(
            self.context.clone(),
            registration.state.clone(),
            Arc::new(facts),
            Rc::from(&*peer),
        );
        let (http, log) = (self.http.clone(), self.context.log.clone());
        let executors = self.context.executors.clone();
        let limits = HeadLimits { bytes_max: self.context.config.head_bytes_max, fields_max: self.context.config.header_fields_max };
        tokio::task::spawn_local(async move {
            let _place = place;
            if is_full && !found_room && !wait_for_room(&executors).await {
                return turn_away(stream).await;
            }
            connection::serve(&http, stream, registration.state.clone(), limits, requests).await;
            log.connection(&peer, "Closing");
            drop(registration);
        });
    }
}

/// Counts a connection among all of the server.
struct ConnectionPlace(Arc<Executors>);

impl ConnectionPlace {
    fn take(executors: &Arc<Executors>) -> ConnectionPlace {
        executors.connections.fetch_add(1, Ordering::Relaxed);
        ConnectionPlace(executors.clone())
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    )
}

/// Other executors have been asked to close idle connections. False: they had none to close.
async fn wait_for_room(executors: &Executors) -> bool {
    for _ in 0..ROOM_LOOKS {
        tokio::time::sleep(SHORTAGE_WAIT).await;
        if executors.has_room_for_connections() {
            return true;
        }
    }
    false
}

/// Tells a client that there are too many of them.
async fn turn_away(stream: Stream) {
    const ANSWER: &[u8] =
        b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    // One that cannot take this much at once learns it from the closed connection.
    let _ = tokio::time::timeout(Duration::from_secs(1), async {
        match stream {
            Stream::Tcp(mut stream) => {
                stream.write_all(ANSWER).await?;
                stream.shutdown().await
            }
            Stream::Unix(mut stream) => {
                stream.write_all(ANSWER).await?;
                stream.shutdown().await
            }
        }
    })
    .await;
}
