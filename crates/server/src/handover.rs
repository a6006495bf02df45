//! Handing the listening sockets to the program that follows in this process, so that no connection is refused meanwhile.
//!
//! The sockets travel as a message in a socket that stands in for standard input, with the true standard input as the first of them:
//! [`Handover::exec`] sends it to the program that it becomes, [`receive`] takes it. All signals are blocked in between, since their
//! handlers go with the old program: what comes meanwhile waits, and is served by the new one ([`Signals`](crate::signals)).

use std::ffi::{CString, OsString};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::net::TcpListener;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::UnixListener;
use std::path::Path;

use nix::sys::signal::SigSet;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};

use crate::descriptors;

/// The argument, behind all others, that says that standard input holds sockets.
pub const ARGUMENT: &str = "--handed-over";
/// How many descriptors go in one message; the system takes 253.
const MESSAGE_SOCKETS: usize = 250;
/// What each message says; its last byte tells whether another one follows.
const MESSAGE: &[u8; 6] = b"jumbo ";
const LAST: u8 = b'.';
const MORE: u8 = b'+';

/// Listening sockets on their way from one program to the next.
#[derive(Debug)]
pub enum InheritedSocket {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl AsFd for InheritedSocket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            InheritedSocket::Tcp(listener) => listener.as_fd(),
            InheritedSocket::Unix(listener) => listener.as_fd(),
        }
    }
}

/// The sockets that a stopped server leaves, still open: connections wait in them.
pub struct Handover {
    pub(crate) sockets: Vec<InheritedSocket>,
    /// Whatever must not end before the new program runs.
    pub(crate) _keep: Box<dyn std::any::Any>,
}

impl Handover {
    /// Replaces this program by another one, which gets the sockets, the same arguments and [`ARGUMENT`]. Returns only when that fails.
    pub fn exec(self, program: &Path, arguments: Vec<OsString>) -> io::Error {
        match self.try_exec(program, arguments) {
            Ok(never) => match never {},
            Err(error) => error,
        }
    }

    fn try_exec(&self, program: &Path, arguments: Vec<OsString>) -> io::Result<std::convert::Infallible> {
        let program = CString::new(program.as_os_str().as_bytes())?;
        let mut all = vec![program.clone()];
        for argument in arguments.into_iter().filter(|argument| argument != ARGUMENT) {
            all.push(CString::new(argument.into_vec())?);
        }
        all.push(CString::new(ARGUMENT)?);
        let (sender, receiver) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        let stdin = rustix::stdio::stdin();
        let fds: Vec<BorrowedFd<'_>> = std::iter::once(stdin).chain(self.sockets.iter().map(AsFd::as_fd)).collect();
        let count = fds.chunks(MESSAGE_SOCKETS).len();
        for (n, part) in fds.chunks(MESSAGE_SOCKETS).enumerate() {
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MESSAGE_SOCKETS))];
            let mut control = SendAncillaryBuffer::new(&mut space);
            if !control.push(SendAncillaryMessage::ScmRights(part)) {
                return Err(io::Error::other("the sockets do not fit a message"));
            }
            let last = [if n + 1 == count { LAST } else { MORE }];
            sendmsg(&sender, &[IoSlice::new(MESSAGE), IoSlice::new(&last)], &mut control, SendFlags::empty())?;
        }
        descriptors::restore_limit()?;
        SigSet::all().thread_block()?;
        let before = rustix::io::fcntl_dupfd_cloexec(stdin, 3)?;
        rustix::stdio::dup2_stdin(&receiver)?;
        // Whatever goes wrong from here on, the process is as it was.
        let error = match nix::unistd::execv(&program, &all) {
            Ok(never) => match never {},
            Err(error) => error,
        };
        rustix::stdio::dup2_stdin(&before)?;
        SigSet::all().thread_unblock()?;
        Err(error.into())
    }
}

/// Takes the sockets that the program of before has left in standard input, and restores that.
pub fn receive() -> io::Result<Vec<InheritedSocket>> {
    let malformed = |what: &str| io::Error::new(io::ErrorKind::InvalidData, format!("{ARGUMENT} is for the server itself alone: {what}"));
    let mut fds: Vec<OwnedFd> = Vec::new();
    loop {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MESSAGE_SOCKETS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut text = [0; MESSAGE.len() + 1];
        let received = recvmsg(rustix::stdio::stdin(), &mut [IoSliceMut::new(&mut text)], &mut control, RecvFlags::CMSG_CLOEXEC);
        let received = received.map_err(|error| malformed(&format!("standard input has no sockets ({error})")))?;
        if received.bytes != text.len() || !text.starts_with(MESSAGE) {
            return Err(malformed("standard input has no sockets"));
        }
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(rights) = message {
                fds.extend(rights);
            }
        }
        if text[MESSAGE.len()] == LAST {
            break;
        }
    }
    let mut fds = fds.into_iter();
    let stdin = fds.next().ok_or_else(|| malformed("the message is empty"))?;
    rustix::stdio::dup2_stdin(&stdin)?;
    fds.map(|fd| {
        let listener = TcpListener::from(fd);
        // Which kind it is tells its address.
        Ok(match listener.local_addr() {
            Ok(_) => InheritedSocket::Tcp(listener),
            Err(_) => InheritedSocket::Unix(UnixListener::from(OwnedFd::from(listener))),
        })
    })
    .collect()
}
