//! One client connection: its stream, what it is waiting for, and how it ends.
//!
//! Deadlines cost the requests nothing: a connection notes when it began to wait for what, and a sweep of its
//! executor compares that with the clock a few times a second. So a deadline may be late by one sweep.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::io;
use std::os::fd::AsRawFd;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker, ready};
use std::time::{Duration, Instant};

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpStream, UnixStream};

use crate::config::ServerConfig;
use crate::head::{HeadFacts, HeadLimits, Scanner, Step};
use crate::service::Requests;

/// What a connection waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The first byte of a request.
    Idle,
    /// The rest of a request's head.
    Head,
    /// A piece of a request's body.
    Body,
    /// The answer to be made and sent.
    Busy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    None,
    /// The head took too long: say so and close.
    HeadTimeout,
    /// The body took too long: the request's task says so.
    BodyTimeout,
    Close,
}

/// What the connection, its requests and the sweep share.
pub(crate) struct ConnectionState {
    phase: Cell<Phase>,
    since: Cell<Instant>,
    write_blocked_since: Cell<Option<Instant>>,
    served: Cell<bool>,
    verdict: Cell<Verdict>,
    stopping: Cell<bool>,
    /// The client may still be sending what nobody wants: closing at once would destroy the answer on its way.
    linger: Cell<bool>,
    waker: RefCell<Option<Waker>>,
    /// Of the heads that hyper has got and whose requests have not begun.
    heads: RefCell<VecDeque<HeadFacts>>,
}

impl ConnectionState {
    fn new() -> ConnectionState {
        ConnectionState {
            phase: Cell::new(Phase::Idle),
            since: Cell::new(Instant::now()),
            write_blocked_since: Cell::new(None),
            served: Cell::new(false),
            verdict: Cell::new(Verdict::None),
            stopping: Cell::new(false),
            linger: Cell::new(false),
            waker: RefCell::new(None),
            heads: RefCell::default(),
        }
    }

    /// What was found in the head of the request that begins now.
    pub(crate) fn next_head(&self) -> HeadFacts {
        self.heads.borrow_mut().pop_front().unwrap_or_default()
    }

    pub(crate) fn enter(&self, phase: Phase) {
        self.phase.set(phase);
        self.since.set(Instant::now());
    }

    pub(crate) fn request_done(&self) {
        self.served.set(true);
        self.enter(Phase::Idle);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.get()
    }

    /// Its first request has not come yet: closing it now would look like a refusal to a client that is just sending one.
    fn is_fresh(&self) -> bool {
        !self.served.get() && matches!(self.phase.get(), Phase::Idle | Phase::Head)
    }

    pub(crate) fn body_timed_out(&self) -> bool {
        self.verdict.get() == Verdict::BodyTimeout
    }

    pub(crate) fn linger(&self) {
        self.linger.set(true);
    }

    /// No more requests after the one in flight.
    pub(crate) fn stop(&self) {
        self.stopping.set(true);
        self.wake();
    }

    fn wake(&self) {
        if let Some(waker) = self.waker.borrow_mut().take() {
            waker.wake();
        }
    }

    fn bytes_read(&self) {
        match self.phase.get() {
            Phase::Idle => self.enter(Phase::Head),
            Phase::Body => self.since.set(Instant::now()),
            Phase::Head | Phase::Busy => {}
        }
    }

    fn write_result<T>(&self, poll: &Poll<io::Result<T>>) {
        if poll.is_ready() {
            self.write_blocked_since.set(None);
        } else if self.write_blocked_since.get().is_none() {
            self.write_blocked_since.set(Some(Instant::now()));
        }
    }

    fn judge(&self, now: Instant, deadlines: &Deadlines) {
        let waited = |since: Instant| now.saturating_duration_since(since);
        let verdict = match self.phase.get() {
            _ if self
                .write_blocked_since
                .get()
                .is_some_and(|since| waited(since) > deadlines.send) =>
            {
                Verdict::Close
            }
            Phase::Idle if self.stopping.get() && waited(self.since.get()) > FRESH_WAIT => Verdict::Close,
            Phase::Idle if self.served.get() => {
                if waited(self.since.get()) <= deadlines.keep_alive {
                    return;
                }
                Verdict::Close
            }
            Phase::Idle | Phase::Head if waited(self.since.get()) > deadlines.head => {
                Verdict::HeadTimeout
            }
            Phase::Body if waited(self.since.get()) > deadlines.body => Verdict::BodyTimeout,
            _ => return,
        };
        self.verdict.set(verdict);
        self.wake();
    }
}

/// How long a connection may be silent after it was accepted when the server stops.
const FRESH_WAIT: Duration = Duration::from_millis(500);

/// How long a connection may wait for what.
pub(crate) struct Deadlines {
    head: Duration,
    body: Duration,
    send: Duration,
    keep_alive: Duration,
}

impl Deadlines {
    pub(crate) fn of(config: &ServerConfig) -> Deadlines {
        Deadlines {
            head: Duration::from_millis(config.head_timeout_ms),
            body: Duration::from_millis(config.body_timeout_ms),
            send: Duration::from_millis(config.send_timeout_ms),
            keep_alive: Duration::from_millis(config.keep_alive_timeout_ms),
        }
    }

    /// How often to look: often enough for the shortest deadline, at least once a second, at most 50 times.
    pub(crate) fn sweep_interval(&self) -> Duration {
        let shortest = self
            .head
            .min(self.body)
            .min(self.send)
            .min(self.keep_alive.max(Duration::from_millis(100)));
        (shortest / 4).clamp(Duration::from_millis(20), Duration::from_secs(1))
    }
}

/// When descriptors run short, this part of the idle connections is closed at once, and not more than this many.
const IDLE_CLOSED_PART: usize = 16;
const IDLE_CLOSED_MAX: usize = 64;

/// All connections of one executor.
#[derive(Default)]
pub(crate) struct Connections {
    next: Cell<u64>,
    open: RefCell<HashMap<u64, Rc<ConnectionState>>>,
}

impl Connections {
    pub(crate) fn len(&self) -> usize {
        self.open.borrow().len()
    }

    pub(crate) fn sweep(&self, deadlines: &Deadlines) {
        let now = Instant::now();
        for state in self.open.borrow().values() {
            state.judge(now, deadlines);
        }
    }

    /// Closes some of the connections on which nothing happens, those that have been idle longest. False: there is none.
    pub(crate) fn close_oldest_idle(&self) -> bool {
        let open = self.open.borrow();
        let is_idle = |state: &&Rc<ConnectionState>| state.phase.get() == Phase::Idle && state.verdict.get() == Verdict::None;
        let mut idle: Vec<_> = open.values().filter(is_idle).collect();
        // Several at a time, so that the look at all of them is worth it.
        let wanted = (idle.len() / IDLE_CLOSED_PART).clamp(1, IDLE_CLOSED_MAX);
        if idle.len() > wanted {
            idle.select_nth_unstable_by_key(wanted, |state| state.since.get());
        }
        for state in idle.iter().take(wanted) {
            state.verdict.set(Verdict::Close);
            state.wake();
        }
        !idle.is_empty()
    }

    pub(crate) fn stop(&self) {
        for state in self.open.borrow().values() {
            state.stop();
        }
    }

    /// Registers a connection for as long as the guard lives.
    pub(crate) fn add(self: &Rc<Self>) -> Registration {
        let id = self.next.get();
        self.next.set(id + 1);
        let state = Rc::new(ConnectionState::new());
        self.open.borrow_mut().insert(id, state.clone());
        Registration {
            connections: self.clone(),
            id,
            state,
        }
    }
}

pub(crate) struct Registration {
    connections: Rc<Connections>,
    id: u64,
    pub state: Rc<ConnectionState>,
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.connections.open.borrow_mut().remove(&self.id);
    }
}

/// A stream of either kind, which tells the connection what it sees, and looks at heads of requests before they are read.
pub(crate) struct ClientStream {
    stream: Stream,
    state: Rc<ConnectionState>,
    /// None: the requests are over, and bytes pass unseen.
    scanner: Option<Scanner>,
    /// Bytes that the scanner has not seen to their end.
    unseen: Vec<u8>,
    /// Bytes that may be read.
    seen: VecDeque<u8>,
}

pub(crate) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    /// The number of its descriptor.
    pub(crate) fn number(&self) -> u64 {
        let fd = match self {
            Stream::Tcp(stream) => stream.as_raw_fd(),
            Stream::Unix(stream) => stream.as_raw_fd(),
        };
        u64::try_from(fd).unwrap_or(0)
    }
}

impl ClientStream {
    pub(crate) fn new(stream: Stream, state: Rc<ConnectionState>, limits: HeadLimits) -> ClientStream {
        ClientStream { stream, state, scanner: Some(Scanner::new(limits)), unseen: Vec::new(), seen: VecDeque::new() }
    }

    fn read_stream(&mut self, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let poll = match &mut self.stream {
            Stream::Tcp(stream) => Pin::new(stream).poll_read(cx, buf),
            Stream::Unix(stream) => Pin::new(stream).poll_read(cx, buf),
        };
        if buf.filled().len() > before {
            self.state.bytes_read();
        }
        poll
    }

    /// Lets the scanner look at what it has not seen. False: it must see more before anything can be read.
    fn scan(&mut self) -> bool {
        let Some(scanner) = &mut self.scanner else {
            self.seen.extend(self.unseen.drain(..));
            return !self.seen.is_empty();
        };
        let state = &self.state;
        match scanner.step(&self.unseen, &mut |facts| state.heads.borrow_mut().push_back(facts)) {
            Step::Pass(n) => self.seen.extend(self.unseen.drain(..n)),
            Step::Replace(n, head) => {
                self.unseen.drain(..n);
                self.seen.extend(head);
            }
            Step::More => {}
            Step::Nothing => self.unseen.clear(),
        }
        !self.seen.is_empty()
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        loop {
            if !this.seen.is_empty() || (!this.unseen.is_empty() && this.scan()) {
                // Reading from a deque of bytes cannot fail.
                let n = io::Read::read(&mut this.seen, buf.initialize_unfilled())?;
                buf.advance(n);
                return Poll::Ready(Ok(()));
            }
            if this.unseen.is_empty() {
                // As a rule a request comes in one piece, and stays where it was read.
                let before = buf.filled().len();
                ready!(this.read_stream(cx, buf))?;
                let bytes = &buf.filled()[before..];
                if bytes.is_empty() {
                    return Poll::Ready(Ok(()));
                }
                let state = &this.state;
                let step = this.scanner.as_mut().map(|s| s.step(bytes, &mut |facts| state.heads.borrow_mut().push_back(facts)));
                match step {
                    None => return Poll::Ready(Ok(())),
                    Some(Step::Pass(n)) => {
                        this.unseen.extend_from_slice(&bytes[n..]);
                        buf.set_filled(before + n);
                        return Poll::Ready(Ok(()));
                    }
                    Some(Step::Replace(n, head)) => {
                        this.unseen.extend_from_slice(&bytes[n..]);
                        this.seen.extend(head);
                    }
                    Some(Step::More) => this.unseen.extend_from_slice(bytes),
                    Some(Step::Nothing) => {}
                }
                buf.set_filled(before);
            } else {
                let mut more = [0; READ_BYTES];
                let mut more = ReadBuf::new(&mut more);
                ready!(this.read_stream(cx, &mut more))?;
                if more.filled().is_empty() {
                    return Poll::Ready(Ok(()));
                }
                this.unseen.extend_from_slice(more.filled());
            }
        }
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = match &mut self.stream {
            Stream::Tcp(stream) => Pin::new(stream).poll_write(cx, buf),
            Stream::Unix(stream) => Pin::new(stream).poll_write(cx, buf),
        };
        self.state.write_result(&poll);
        poll
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = match &mut self.stream {
            Stream::Tcp(stream) => Pin::new(stream).poll_write_vectored(cx, bufs),
            Stream::Unix(stream) => Pin::new(stream).poll_write_vectored(cx, bufs),
        };
        self.state.write_result(&poll);
        poll
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Tcp(stream) => Pin::new(stream).poll_flush(cx),
            Stream::Unix(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Tcp(stream) => Pin::new(stream).poll_shutdown(cx),
            Stream::Unix(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}

/// What is read at a time while a head is not complete.
const READ_BYTES: usize = 8 << 10;

const HEAD_TIMEOUT_ANSWER: &[u8] =
    b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
/// How long, and how much, to listen after the last answer to a client that is still sending.
const LINGER_TIME: Duration = Duration::from_secs(2);
const LINGER_BYTES_MAX: usize = 4 << 20;

enum End {
    Served(Result<(), hyper::Error>),
    HeadTimeout,
    Close,
}

/// Serves a connection until it ends.
pub(crate) async fn serve(
    http: &http1::Builder,
    stream: Stream,
    state: Rc<ConnectionState>,
    limits: HeadLimits,
    requests: Requests,
) {
    let io = TokioIo::new(ClientStream::new(stream, state.clone(), limits));
    let mut connection = http.serve_connection(io, requests);
    let mut stop_said = false;
    let end = poll_fn(|cx| {
        match state.verdict.get() {
            Verdict::Close
                if state.phase.get() == Phase::Idle
                    || state.write_blocked_since.get().is_some() =>
            {
                return Poll::Ready(End::Close);
            }
            // What was waited for may have come since.
            Verdict::HeadTimeout if matches!(state.phase.get(), Phase::Idle | Phase::Head) => {
                return Poll::Ready(End::HeadTimeout);
            }
            Verdict::HeadTimeout | Verdict::Close => state.verdict.set(Verdict::None),
            Verdict::None | Verdict::BodyTimeout => {}
        }
        if state.stopping.get() && !stop_said && !state.is_fresh() {
            stop_said = true;
            Pin::new(&mut connection).graceful_shutdown();
        }
        let poll = connection.poll_without_shutdown(cx).map(End::Served);
        *state.waker.borrow_mut() = Some(cx.waker().clone());
        poll
    })
    .await;
    let mut stream = connection.into_parts().io.into_inner();
    stream.scanner = None;
    let linger = match end {
        End::Close => return,
        End::HeadTimeout if state.phase.get() == Phase::Idle => false,
        End::HeadTimeout => {
            // A client that cannot take this short answer at once does not get it.
            let _ = tokio::time::timeout(LINGER_TIME, stream.write_all(HEAD_TIMEOUT_ANSWER)).await;
            true
        }
        End::Served(Ok(())) => state.linger.get(),
        // Refused for its form: the refusal should arrive. Every other error means the client is gone.
        End::Served(Err(error)) => error.is_parse(),
    };
    if stream.shutdown().await.is_ok() && linger {
        let _ = tokio::time::timeout(LINGER_TIME, drain(&mut stream)).await;
    }
}

async fn drain(stream: &mut ClientStream) {
    let mut scrap = [0; 8192];
    let mut left = LINGER_BYTES_MAX;
    while let Ok(n) = stream.read(&mut scrap).await {
        if n == 0 || n > left {
            return;
        }
        left -= n;
    }
}
