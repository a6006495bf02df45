//! Listening sockets: made anew, taken over from the program that was here before, shared by the executors.

use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixListener as StdUnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use socket2::{Domain, Protocol, Socket, Type};

use crate::config::ServerConfig;
use crate::handover::InheritedSocket;

/// One listening socket; copies share it.
pub(crate) enum Listener {
    Tcp(std::net::TcpListener),
    Unix(StdUnixListener, Arc<UnixPath>),
}

impl Listener {
    pub(crate) fn try_clone(&self) -> io::Result<Listener> {
        Ok(match self {
            Listener::Tcp(listener) => Listener::Tcp(listener.try_clone()?),
            Listener::Unix(listener, path) => Listener::Unix(listener.try_clone()?, path.clone()),
        })
    }
}

/// The file of a unix socket, removed when the last listener is gone.
pub(crate) struct UnixPath(pub PathBuf);

impl Drop for UnixPath {
    fn drop(&mut self) {
        // It may have been replaced or removed by hand, which is as well.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Sockets of the program that was here before.
pub(crate) struct Inherited(pub Vec<InheritedSocket>);

impl Inherited {
    /// The one that listens on this address; with port 0, on any port of it.
    pub(crate) fn tcp(&mut self, address: SocketAddr) -> Option<std::net::TcpListener> {
        let is_this = |socket: &InheritedSocket| match socket {
            InheritedSocket::Tcp(listener) => listener
                .local_addr()
                .is_ok_and(|actual| actual == address || (address.port() == 0 && actual.ip() == address.ip())),
            InheritedSocket::Unix(_) => false,
        };
        let at = self.0.iter().position(is_this)?;
        match self.0.remove(at) {
            InheritedSocket::Tcp(listener) => Some(listener),
            InheritedSocket::Unix(_) => None,
        }
    }

    pub(crate) fn unix(&mut self, path: &Path) -> Option<StdUnixListener> {
        let is_this = |socket: &InheritedSocket| match socket {
            InheritedSocket::Unix(listener) => listener.local_addr().is_ok_and(|actual| actual.as_pathname() == Some(path)),
            InheritedSocket::Tcp(_) => false,
        };
        let at = self.0.iter().position(is_this)?;
        match self.0.remove(at) {
            InheritedSocket::Unix(listener) => Some(listener),
            InheritedSocket::Tcp(_) => None,
        }
    }
}

pub(crate) fn listen_tcp(address: SocketAddr, config: &ServerConfig) -> io::Result<std::net::TcpListener> {
    let socket = Socket::new(
        Domain::for_address(address),
        Type::STREAM,
        Some(Protocol::TCP),
    )?;
    socket.set_reuse_address(true)?;
    if config.reuse_port {
        socket.set_reuse_port(true)?;
    }
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(backlog(config.backlog))?;
    Ok(socket.into())
}

/// A socket file that nobody listens on any more is replaced; anything else there is left alone.
pub(crate) fn listen_unix(path: &Path, queue: u32) -> io::Result<StdUnixListener> {
    if let Ok(metadata) = std::fs::symlink_metadata(path)
        && metadata.file_type().is_socket()
        && std::os::unix::net::UnixStream::connect(path).is_err()
    {
        std::fs::remove_file(path)?;
    }
    let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    socket.bind(&socket2::SockAddr::unix(path)?)?;
    socket.listen(backlog(queue))?;
    Ok(socket.into())
}

fn backlog(queue: u32) -> i32 {
    i32::try_from(queue).unwrap_or(i32::MAX)
}

