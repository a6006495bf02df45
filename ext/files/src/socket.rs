//! Streams over sockets.

use crate::wait::{self, For};
use jumbo_abi::stream::{Failure, Read, Stream, Tried};
use jumbo_abi::{Cx, Res};
use rustix::net::{RecvFlags, SendFlags};
use std::any::Any;
use std::cell::Cell;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::time::Duration;

pub struct Socket {
    fd: OwnedFd,
    kind: &'static str,
    blocking: Cell<bool>,
    timeout: Cell<Option<Duration>>,
    timed_out: Cell<bool>,
}

impl Socket {
    pub fn new(fd: OwnedFd, kind: &'static str) -> Socket {
        Socket { fd, kind, blocking: Cell::new(true), timeout: Cell::new(Some(Duration::from_secs(60))), timed_out: Cell::new(false) }
    }
    pub fn fd(&self) -> &OwnedFd {
        &self.fd
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
                cx.notice([head.as_bytes(), &text].concat())?;
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
    fn alive(&self, _cx: &mut Cx) -> bool {
        let mut one = [0; 1];
        !matches!(rustix::net::recv(&self.fd, &mut one, RecvFlags::DONTWAIT | RecvFlags::PEEK), Ok((0, _)))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
