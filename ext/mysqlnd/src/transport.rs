//! The way to the server: a socket, and packets on it.
//!
//! Whoever reads or writes may wait; the executor serves other instances meanwhile. A packet has at most 16 MiB - 1; longer content is
//! several packets. Their sequence numbers are checked.

use crate::queue::Place;
use jumbo_abi::{Cx, Res};
use jumbo_ext_files::wait::{self, For};
use jumbo_ext_net::connect;
use jumbo_value::HeapCharge;
use rustix::net::{RecvFlags, SendFlags, sockopt};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::time::Duration;

/// Longest content of one packet.
const PACKET_MAX: usize = 0xff_ffff;
/// What one read asks for.
const READ_SIZE: usize = 32 * 1024;
/// Longest content that is put together from packets: more is no answer of a server.
const CONTENT_MAX: usize = 1 << 30;
/// Room that is kept for the packets to come.
const KEPT_MAX: usize = 1 << 20;
/// A packet below this is sent with its head in one piece.
const COPIED_MAX: usize = 64 << 10;

/// Why there is no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The other side has gone, or does not answer in time.
    Gone,
    /// The sequence numbers say that something is missing.
    OutOfOrder { expected: u8, received: u8, size: usize },
    TooLarge,
}

/// Where the server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Tcp { host: Vec<u8>, port: u16 },
    Local { path: Vec<u8> },
}

impl Target {
    /// As the stream functions name it.
    pub fn address(&self) -> Vec<u8> {
        match self {
            // A port in the name goes before the other one.
            Target::Tcp { host, .. } if host.iter().filter(|b| **b == b':').count() == 1 => [b"tcp://".as_slice(), host].concat(),
            Target::Tcp { host, port } if host.contains(&b':') && host.first() != Some(&b'[') => {
                [b"tcp://[".as_slice(), host, b"]:", port.to_string().as_bytes()].concat()
            }
            Target::Tcp { host, port } => [b"tcp://".as_slice(), host, b":", port.to_string().as_bytes()].concat(),
            Target::Local { path } => [b"unix://".as_slice(), path].concat(),
        }
    }
}

pub struct Transport {
    fd: OwnedFd,
    input: Vec<u8>,
    /// What of `input` has been taken.
    taken: usize,
    sequence: u8,
    pub read_timeout: Option<Duration>,
    /// Nobody can listen on the way.
    pub is_local: bool,
    /// Bytes of headers and contents, since the last command began.
    pub received: u64,
    /// Where it counts among the connections of its server, once it is signed in.
    pub(crate) place: Option<Place>,
}

impl Transport {
    /// Connects. The error is the system's text.
    pub fn connect(cx: &mut Cx, target: &Target, timeout: Option<Duration>) -> Res<Result<Transport, Vec<u8>>> {
        // What a script has printed leaves before somebody else acts on what it does now.
        cx.about_to_wait();
        let socket = match connect::client(cx, &target.address(), timeout, false, None)? {
            Ok(socket) => socket,
            Err(refused) => return Ok(Err(refused.text)),
        };
        let is_local = matches!(target, Target::Local { .. });
        if !is_local {
            // Wishes: a kernel that refuses them still talks to the server.
            let _ = sockopt::set_tcp_nodelay(socket.fd(), true);
            let _ = sockopt::set_socket_keepalive(socket.fd(), true);
        }
        Ok(Ok(Transport { fd: socket.into_fd(), input: Vec::new(), taken: 0, sequence: 0, read_timeout: None, is_local, received: 0, place: None }))
    }

    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
    pub fn raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
    /// Something can be read without waiting.
    pub fn is_readable(&self) -> bool {
        self.taken < self.input.len() || wait::ready(self.fd(), For::Reading)
    }
    /// The server has closed the connection, or says something that nobody asked for: of no use any more.
    pub fn is_stale(&self) -> bool {
        self.is_readable()
    }

    /// A new command or phase begins: numbers count from 0.
    pub fn restart(&mut self) {
        self.sequence = 0;
    }

    fn fill(&mut self, cx: &mut Cx) -> Res<Result<(), Lost>> {
        if self.taken == self.input.len() {
            self.input.clear();
            self.taken = 0;
        } else if self.taken > READ_SIZE {
            self.input.drain(..self.taken);
            self.taken = 0;
        }
        let old = self.input.len();
        loop {
            self.input.resize(old + READ_SIZE, 0);
            let read = rustix::net::recv(&self.fd, &mut self.input[old..], RecvFlags::DONTWAIT);
            match read {
                Ok((0, _)) => {
                    self.input.truncate(old);
                    return Ok(Err(Lost::Gone));
                }
                Ok((len, _)) => {
                    self.input.truncate(old + len.min(READ_SIZE));
                    return Ok(Ok(()));
                }
                Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {
                    self.input.truncate(old);
                    if !wait::until_ready(cx, &self.fd, For::Reading, self.read_timeout)? {
                        return Ok(Err(Lost::Gone));
                    }
                }
                Err(_) => {
                    self.input.truncate(old);
                    return Ok(Err(Lost::Gone));
                }
            }
        }
    }

    /// Waits until at least `len` bytes that nobody took are there.
    fn have(&mut self, cx: &mut Cx, len: usize) -> Res<Result<(), Lost>> {
        while self.input.len() - self.taken < len {
            if let Err(lost) = self.fill(cx)? {
                return Ok(Err(lost));
            }
        }
        Ok(Ok(()))
    }

    /// The content of the next packet, in place of what `into` held, which `charge` counts; how many packets it took.
    pub fn read_packet(&mut self, cx: &mut Cx, into: &mut Vec<u8>, charge: &mut HeapCharge) -> Res<Result<usize, Lost>> {
        into.clear();
        if into.capacity() > KEPT_MAX {
            *into = Vec::new();
            charge.resize(0)?;
        }
        let mut packets = 0;
        loop {
            if let Err(lost) = self.have(cx, 4)? {
                return Ok(Err(lost));
            }
            let &[a, b, c, number] = &self.input[self.taken..self.taken + 4] else { return Ok(Err(Lost::Gone)) };
            let size = usize::from(a) | usize::from(b) << 8 | usize::from(c) << 16;
            self.taken += 4;
            self.received += 4;
            if number != self.sequence {
                let lost = Lost::OutOfOrder { expected: self.sequence, received: number, size };
                return Ok(Err(lost));
            }
            self.sequence = self.sequence.wrapping_add(1);
            if into.len() + size > CONTENT_MAX {
                return Ok(Err(Lost::TooLarge));
            }
            charge.reserve(into, size)?;
            // Long content is taken as it comes, not collected twice.
            let mut left = size;
            while left > 0 {
                if self.taken == self.input.len()
                    && let Err(lost) = self.have(cx, 1)?
                {
                    return Ok(Err(lost));
                }
                let part = left.min(self.input.len() - self.taken);
                into.extend_from_slice(&self.input[self.taken..self.taken + part]);
                self.taken += part;
                left -= part;
            }
            self.received += size as u64;
            packets += 1;
            if size < PACKET_MAX {
                return Ok(Ok(packets));
            }
        }
    }

    /// Sends content, in two parts of which the first is short, as packets; how many, and how many bytes in all.
    pub fn write_packet(&mut self, cx: &mut Cx, first: &[u8], content: &[u8]) -> Res<Result<(usize, usize), Lost>> {
        let size = first.len() + content.len();
        let packets = size / PACKET_MAX + 1;
        let sent = (packets, size + 4 * packets);
        if size < COPIED_MAX {
            let bytes = [self.packet_head(size).as_slice(), first, content].concat();
            return Ok(self.write(cx, &bytes)?.map(|()| sent));
        }
        let (mut first, mut rest) = (first, content);
        // A full packet says that another one follows, be it empty.
        for _ in 0..packets {
            let len = rest.len().min(PACKET_MAX - first.len());
            let head = self.packet_head(first.len() + len);
            let (part, more) = rest.split_at(len);
            for bytes in [&[head.as_slice(), first].concat(), part] {
                if let Err(lost) = self.write(cx, bytes)? {
                    return Ok(Err(lost));
                }
            }
            (first, rest) = (&[], more);
        }
        Ok(Ok(sent))
    }

    /// The head of the next packet, which has `len` bytes.
    fn packet_head(&mut self, len: usize) -> [u8; 4] {
        let [a, b, c, _] = (len as u32).to_le_bytes();
        let head = [a, b, c, self.sequence];
        self.sequence = self.sequence.wrapping_add(1);
        head
    }

    /// One short packet with its head.
    fn framed(&mut self, content: &[u8]) -> Vec<u8> {
        debug_assert!(content.len() < COPIED_MAX);
        [self.packet_head(content.len()).as_slice(), content].concat()
    }

    /// Sends bytes that are packets already.
    pub fn write(&mut self, cx: &mut Cx, bytes: &[u8]) -> Res<Result<(), Lost>> {
        let mut rest = bytes;
        cx.about_to_wait();
        while !rest.is_empty() {
            match rustix::net::send(&self.fd, rest, SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
                Ok(n) => rest = rest.get(n..).unwrap_or_default(),
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => {
                    if !wait::until_ready(cx, &self.fd, For::Writing, self.read_timeout)? {
                        return Ok(Err(Lost::Gone));
                    }
                }
                Err(_) => return Ok(Err(Lost::Gone)),
            }
        }
        Ok(Ok(()))
    }

    /// Sends one packet without waiting. False: the socket takes nothing now; `None`: it took a part, or is closed.
    pub fn try_send(&mut self, content: &[u8]) -> Option<bool> {
        self.restart();
        let bytes = self.framed(content);
        match rustix::net::send(&self.fd, &bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
            Ok(n) => (n == bytes.len()).then_some(true),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Some(false),
            Err(_) => None,
        }
    }

    /// Sends one packet if the socket takes it at once; the connection is given up in any case.
    pub fn farewell(&mut self, content: &[u8]) {
        self.restart();
        let bytes = self.framed(content);
        // The server notices the end of the connection as well.
        let _ = rustix::net::send(&self.fd, &bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL);
    }
}
