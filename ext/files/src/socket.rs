//! Streams over sockets, and what may lie between stream and socket: encryption, which another extension brings.

use crate::wait::{self, For};
use jumbo_abi::stream::{Failure, Read, Stream, Tried};
use jumbo_abi::{Cx, PArray, PResource, Res};
use rustix::net::{RecvFlags, SendFlags};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::rc::Rc;
use std::time::Duration;

/// What lies between a stream and its socket.
pub trait Layer: Any {
    /// Bytes go through it; until then it is being set up, and they go past it.
    fn is_active(&self) -> bool;
    fn read(&self, cx: &mut Cx, socket: &Socket, buffer: &mut [u8]) -> Tried<Read>;
    fn write(&self, cx: &mut Cx, socket: &Socket, bytes: &[u8]) -> Tried<usize>;
    /// A read would give something, or the end, without the socket.
    fn ahead(&self) -> bool;
    fn alive(&self, cx: &mut Cx, socket: &Socket) -> bool;
    fn close(&self, cx: &mut Cx, socket: &Socket) -> Res<()>;
    fn metadata(&self, to: &mut PArray);
    fn as_any(&self) -> &dyn Any;
}

/// How a connection is to be encrypted.
pub struct CryptoWish<'a> {
    /// Bits of `STREAM_CRYPTO_METHOD_*`.
    pub method: i64,
    pub server: bool,
    pub context: Option<PResource>,
    /// The host that was connected to.
    pub name: Vec<u8>,
    /// A connection whose session is resumed.
    pub session: Option<&'a Socket>,
    /// For the whole handshake; None: for ever.
    pub timeout: Option<Duration>,
}

/// The service of an extension that encrypts connections.
pub struct Crypto {
    /// Transports that it adds, with their methods.
    pub transports: &'static [(&'static str, i64)],
    /// `Some(true)`: done; `Some(false)`: it did not succeed, and the script was told; None: not yet (a socket that does not wait).
    pub enable: fn(&mut Cx, &Socket, &CryptoWish) -> Res<Option<bool>>,
    /// False: the connection was not encrypted.
    pub disable: fn(&mut Cx, &Socket) -> Res<bool>,
}

/// The extension that encrypts connections, if there is one.
pub fn crypto() -> Option<&'static Crypto> {
    jumbo_abi::registry::try_get()?.services::<Crypto>().next()
}

pub struct Socket {
    fd: OwnedFd,
    kind: &'static str,
    blocking: Cell<bool>,
    timeout: Cell<Option<Duration>>,
    timed_out: Cell<bool>,
    layer: RefCell<Option<Rc<dyn Layer>>>,
    /// A listening socket whose connections are encrypted: the method.
    accepts: Cell<Option<i64>>,
    /// The host that was connected to.
    peer: RefCell<Vec<u8>>,
}

impl Socket {
    pub fn new(fd: OwnedFd, kind: &'static str) -> Socket {
        Socket {
            fd,
            kind,
            blocking: Cell::new(true),
            timeout: Cell::new(Some(Duration::from_secs(60))),
            timed_out: Cell::new(false),
            layer: RefCell::default(),
            accepts: Cell::new(None),
            peer: RefCell::default(),
        }
    }
    pub fn layer(&self) -> Option<Rc<dyn Layer>> {
        self.layer.borrow().clone()
    }
    pub fn set_layer(&self, layer: Option<Rc<dyn Layer>>) {
        // The old one ends after the place is free.
        let _old = self.layer.replace(layer);
    }
    fn active_layer(&self) -> Option<Rc<dyn Layer>> {
        self.layer().filter(|layer| layer.is_active())
    }
    /// The method of encryption of connections that are accepted.
    pub fn accepts(&self) -> Option<i64> {
        self.accepts.get()
    }
    pub fn set_accepts(&self, method: Option<i64>) {
        self.accepts.set(method);
    }
    pub fn peer_host(&self) -> Vec<u8> {
        self.peer.borrow().clone()
    }
    pub fn set_peer_host(&self, host: &[u8]) {
        *self.peer.borrow_mut() = host.to_vec();
    }
    pub fn is_blocking(&self) -> bool {
        self.blocking.get()
    }
    pub fn set_timed_out(&self, timed_out: bool) {
        self.timed_out.set(timed_out);
    }
    /// Sends what the kernel takes at once.
    pub fn send(&self, bytes: &[u8]) -> rustix::io::Result<usize> {
        rustix::net::send(&self.fd, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL)
    }
    /// Takes what the kernel has.
    pub fn receive(&self, buffer: &mut [u8]) -> rustix::io::Result<usize> {
        rustix::net::recv(&self.fd, &mut *buffer, RecvFlags::DONTWAIT).map(|(len, _)| len)
    }
    /// A read would give something at once, although the descriptor has nothing: a layer has it.
    pub fn ahead(&self) -> bool {
        self.active_layer().is_some_and(|layer| layer.ahead())
    }
    /// Would the kernel take something at once?
    pub fn has_room(&self) -> bool {
        use std::os::fd::AsFd;
        wait::ready(self.fd.as_fd(), For::Writing)
    }
    pub fn fd(&self) -> &OwnedFd {
        &self.fd
    }
    /// The descriptor alone: of a connection that is not encrypted, and whose settings do not matter.
    pub fn into_fd(self) -> OwnedFd {
        self.fd
    }
    /// How long a read or write of a blocking socket waits; None: for ever.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout.get()
    }
    pub fn duplicate(&self) -> Option<std::fs::File> {
        self.fd.try_clone().ok().map(std::fs::File::from)
    }
    fn ready(&self, cx: &mut Cx, what: For) -> Res<bool> {
        if !self.blocking.get() {
            return Ok(true);
        }
        let ready = wait::until_ready(cx, &self.fd, what, self.timeout.get())?;
        self.timed_out.set(!ready);
        Ok(ready)
    }
}

impl Stream for Socket {
    fn kind(&self) -> &'static str {
        self.kind
    }
    fn read(&self, cx: &mut Cx, buffer: &mut [u8]) -> Tried<Read> {
        if let Some(layer) = self.active_layer() {
            return layer.read(cx, self, buffer);
        }
        if !self.ready(cx, For::Reading)? {
            return Ok(Ok(Read { len: 0, eof: false }));
        }
        match rustix::net::recv(&self.fd, &mut *buffer, RecvFlags::DONTWAIT) {
            Ok((len, _)) => Ok(Ok(Read { len, eof: len == 0 && !buffer.is_empty() })),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(Ok(Read { len: 0, eof: false })),
            // The other side has gone.
            Err(_) => Ok(Ok(Read { len: 0, eof: true })),
        }
    }
    fn write(&self, cx: &mut Cx, bytes: &[u8]) -> Tried<usize> {
        if let Some(layer) = self.active_layer() {
            return layer.write(cx, self, bytes);
        }
        if !self.ready(cx, For::Writing)? {
            return Ok(Err(io::Error::from(io::ErrorKind::WouldBlock).into()));
        }
        match rustix::net::send(&self.fd, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
            Ok(n) => Ok(Ok(n)),
            Err(e) if e == rustix::io::Errno::AGAIN => Ok(Err(io::Error::from(io::ErrorKind::WouldBlock).into())),
            Err(e) => {
                let e = io::Error::from(e);
                let code = e.raw_os_error().unwrap_or(0);
                let text = jumbo_abi::stream::os_error_text(&e);
                let head = format!("Send of {} bytes failed with errno={code} ", bytes.len());
                cx.notice([head.as_bytes(), &text])?;
                Ok(Err(Failure::Reported))
            }
        }
    }
    fn set_blocking(&self, _cx: &mut Cx, blocking: bool) -> Res<Option<bool>> {
        self.blocking.set(blocking);
        Ok(Some(true))
    }
    fn set_timeout(&self, _cx: &mut Cx, timeout: Duration) -> Res<bool> {
        self.timeout.set(Some(timeout));
        Ok(true)
    }
    fn timed_out(&self) -> bool {
        self.timed_out.get()
    }
    fn descriptor(&self, _cx: &mut Cx) -> Res<Option<RawFd>> {
        Ok(Some(self.fd.as_raw_fd()))
    }
    fn close(&self, cx: &mut Cx) -> Res<()> {
        match self.active_layer() {
            Some(layer) => layer.close(cx, self),
            None => Ok(()),
        }
    }
    fn must_close(&self) -> bool {
        self.active_layer().is_some()
    }
    fn metadata(&self, to: &mut PArray) {
        if let Some(layer) = self.active_layer() {
            layer.metadata(to);
        }
    }
    fn alive(&self, cx: &mut Cx) -> bool {
        if let Some(layer) = self.active_layer() {
            return layer.alive(cx, self);
        }
        let mut one = [0; 1];
        !matches!(rustix::net::recv(&self.fd, &mut one, RecvFlags::DONTWAIT | RecvFlags::PEEK), Ok((0, _)))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
