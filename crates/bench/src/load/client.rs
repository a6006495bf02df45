//! A thread of the load generator: its share of the clients, over one epoll.
//!
//! A client is a connection and what it is doing. All sockets are non-blocking and watched level-triggered; a client that is answered sends its next
//! request at once, so a request costs a `write`, a `read` and a share of an `epoll_wait`. Due times of the open loop come from a timer
//! descriptor in the same epoll: `epoll_wait` itself counts in milliseconds.

use super::check::{Checker, Fault};
use super::http::{Progress, Response};
use super::outcome::{Failure, Outcome, TICK_MS};
use super::{Load, Pace};
use crate::normalise::excerpt;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};
use rustix::time::{ClockId, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, clock_gettime};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const TIMER: u64 = u64::MAX;
const EVENTS_AT_ONCE: usize = 256;
const BUFFER_BYTES: usize = 64 << 10;
/// How long `epoll_wait` waits at most: deadlines and the stop flag are looked at in between.
const WAIT_MS_MAX: u64 = 20;
/// A client without connection waits so long before it tries again.
const BACKOFF: Duration = Duration::from_millis(10);
/// How long the clients may take to connect before the run begins.
const CONNECT_WAIT_MAX: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nothing to do.
    Idle,
    /// The connection is being made; a request waits for it, or none does (before the run).
    Connecting {
        request: bool,
    },
    /// That much of the request is sent.
    Sending(usize),
    Receiving,
    /// After a failure, until then.
    Backoff(Instant),
}

struct Client {
    stream: Option<TcpStream>,
    phase: Phase,
    response: Response,
    request: usize,
    due: Instant,
    sent: Instant,
    deadline: Instant,
    watches_out: bool,
}

pub struct Worker<'a> {
    load: &'a Load<'a>,
    sequence: &'a [usize],
    next: usize,
    threads: usize,
    thread: usize,
    epoll: OwnedFd,
    timer: OwnedFd,
    clients: Vec<Client>,
    checkers: Vec<Checker>,
    outcome: Outcome,
    buffer: Vec<u8>,
    start: Instant,
    end: Instant,
    /// Open loop: clients that are free, requests that are due, and the number of the next one.
    free: VecDeque<usize>,
    due: VecDeque<Instant>,
    arrivals: u64,
    /// Requests under way, backoffs not counted.
    in_flight: usize,
    running: bool,
    failures_in_a_row: usize,
    /// When deadlines were looked at.
    looked: Instant,
}

impl<'a> Worker<'a> {
    pub fn new(load: &'a Load<'a>, sequence: &'a [usize], thread: usize, threads: usize) -> io::Result<Worker<'a>> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let timer = rustix::time::timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
        epoll::add(&epoll, &timer, EventData::new_u64(TIMER), EventFlags::IN)?;
        let now = Instant::now();
        // Clients are dealt out one by one; the first threads may have one more.
        let share = load.clients / threads + usize::from(thread < load.clients % threads);
        let client = || Client {
            stream: None,
            phase: Phase::Idle,
            response: Response::default(),
            request: 0,
            due: now,
            sent: now,
            deadline: now,
            watches_out: false,
        };
        Ok(Worker {
            load,
            sequence,
            // Threads begin at different places of the cycle.
            next: thread * sequence.len() / threads,
            threads,
            thread,
            epoll,
            timer,
            clients: (0..share).map(|_| client()).collect(),
            checkers: load.requests.iter().map(|r| Checker::new(r.expected.clone())).collect(),
            outcome: Outcome::new(load.requests.len(), load.duration),
            buffer: vec![0; BUFFER_BYTES],
            start: now,
            end: now,
            free: (0..share).collect(),
            due: VecDeque::new(),
            arrivals: 0,
            in_flight: 0,
            running: false,
            failures_in_a_row: 0,
            looked: now,
        })
    }

    /// Opens all connections before the run, so that it does not begin with a storm of them.
    pub fn connect_all(mut self) -> io::Result<Self> {
        let until = Instant::now() + CONNECT_WAIT_MAX.min(self.load.timeout);
        for index in 0..self.clients.len() {
            self.connect(index, false);
        }
        let connecting = |w: &Self| w.clients.iter().any(|c| matches!(c.phase, Phase::Connecting { .. }));
        while connecting(&self) && Instant::now() < until && !self.load.stop.load(Ordering::Relaxed) {
            self.turn(Duration::from_millis(WAIT_MS_MAX))?;
        }
        // Whoever has none by now connects with its first request, where it counts.
        for index in 0..self.clients.len() {
            if matches!(self.clients[index].phase, Phase::Connecting { .. } | Phase::Backoff(_)) {
                self.drop_connection(index);
                self.clients[index].phase = Phase::Idle;
            }
        }
        let connects = self.outcome.connects;
        self.outcome = Outcome { connects, ..Outcome::new(self.load.requests.len(), self.load.duration) };
        self.failures_in_a_row = 0;
        Ok(self)
    }

    /// The run.
    pub fn run(mut self, start: Instant) -> io::Result<Outcome> {
        let cpu_before = thread_cpu();
        self.start = start;
        self.end = start + self.load.duration;
        self.running = true;
        if self.load.pace == Pace::Closed {
            for index in 0..self.clients.len() {
                let now = Instant::now();
                self.begin(index, now, now);
            }
        }
        loop {
            let now = Instant::now();
            let stopped = self.load.stop.load(Ordering::Relaxed);
            // Something went through this often at least, or the server is not there.
            let gave_up = self.failures_in_a_row > 100 + 3 * self.clients.len();
            if self.running && (now >= self.end || stopped || gave_up) {
                self.arrive(now.min(self.end));
                self.running = false;
                self.outcome.interrupted = stopped && now < self.end;
                self.outcome.gave_up = gave_up;
                self.outcome.elapsed = (now.min(self.end)).saturating_duration_since(self.start);
                self.end = now.min(self.end);
            }
            if !self.running {
                let waits = self.in_flight > 0 || !self.due.is_empty();
                if !waits || stopped || gave_up || now >= self.end + self.load.timeout {
                    // Nobody waits for the answers that are missing: the run is not whole.
                    self.outcome.interrupted |= stopped && waits;
                    break;
                }
            }
            if self.load.pace != Pace::Closed {
                self.arrive(now);
                self.send_due();
            }
            let left = if self.running { self.end.saturating_duration_since(now) } else { Duration::from_millis(WAIT_MS_MAX) };
            self.turn(left.min(Duration::from_millis(WAIT_MS_MAX)))?;
        }
        if !self.outcome.interrupted && !self.outcome.gave_up {
            let unanswered = self.in_flight as u64;
            self.outcome.fail(Failure::Timeout, unanswered, || "no answer in time".into());
            let unsent = self.due.len() as u64;
            let timeout = self.load.timeout.as_millis();
            self.outcome.fail(Failure::Unsent, unsent, || format!("requests that were due but could not be sent until {timeout} ms after the end of the run"));
        }
        for (sum, checker) in self.outcome.requests.iter_mut().zip(&self.checkers) {
            sum.compared = checker.compared;
        }
        self.outcome.generator_cpu = thread_cpu().saturating_sub(cpu_before);
        let whole = self.start.elapsed().as_secs_f64();
        self.outcome.generator_busy = if whole > 0.0 { self.outcome.generator_cpu.as_secs_f64() / whole } else { 0.0 };
        Ok(self.outcome)
    }

    /// Waits for events and works on them; then looks after deadlines.
    fn turn(&mut self, wait: Duration) -> io::Result<()> {
        let mut events: [std::mem::MaybeUninit<epoll::Event>; EVENTS_AT_ONCE] = [const { std::mem::MaybeUninit::uninit() }; EVENTS_AT_ONCE];
        // A wait that is too short would spin, so it is rounded up to a whole millisecond.
        let wait = Duration::from_millis(wait.as_millis() as u64 + u64::from(wait.subsec_nanos() % 1_000_000 > 0));
        let happened = match epoll::wait(&self.epoll, &mut events, Some(&timespec(wait))) {
            Ok((happened, _)) => happened,
            Err(rustix::io::Errno::INTR) => return Ok(()),
            Err(e) => return Err(e.into()),
        };
        for event in happened {
            let (data, flags) = (event.data, event.flags);
            if data.u64() == TIMER {
                let mut count = [0; 8];
                let _ = rustix::io::read(&self.timer, &mut count);
                if self.running {
                    self.arrive(Instant::now());
                    self.send_due();
                }
            } else {
                self.happened(data.u64() as usize, flags);
            }
        }
        self.look_after_deadlines();
        Ok(())
    }

    fn happened(&mut self, index: usize, flags: EventFlags) {
        let Some(client) = self.clients.get(index) else { return };
        let Some(stream) = &client.stream else { return };
        match client.phase {
            Phase::Connecting { request } => match sockopt::socket_error(stream) {
                Ok(Ok(())) if flags.intersects(EventFlags::OUT) => {
                    if request {
                        self.send(index, 0);
                    } else {
                        self.watch(index, false);
                        self.clients[index].phase = Phase::Idle;
                    }
                }
                Ok(Ok(())) => {}
                Ok(Err(e)) | Err(e) => self.fail(index, Failure::Connect, io::Error::from(e).to_string()),
            },
            Phase::Sending(done) if flags.intersects(EventFlags::OUT | EventFlags::ERR | EventFlags::HUP) => self.send(index, done),
            Phase::Sending(_) => {}
            Phase::Receiving => self.receive(index),
            // The server closes a connection that it did not want to keep, or says something unasked: it is not used any more.
            Phase::Idle | Phase::Backoff(_) => self.drop_connection(index),
        }
    }

    /// Open loop: notes the requests that have become due by `now`, and sets the timer for the next.
    fn arrive(&mut self, now: Instant) {
        let Pace::Open(rate) = self.load.pace else { return };
        if !self.running {
            return;
        }
        loop {
            // This thread's share of the arrivals: every n-th.
            let number = self.arrivals * self.threads as u64 + self.thread as u64;
            let due = self.start + Duration::from_secs_f64(number as f64 / rate);
            if due >= self.end {
                return;
            }
            if due > now {
                let value = Itimerspec { it_interval: timespec(Duration::ZERO), it_value: timespec((due - now).max(Duration::from_nanos(1))) };
                let _ = rustix::time::timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &value);
                return;
            }
            self.due.push_back(due);
            self.arrivals += 1;
        }
    }

    fn send_due(&mut self) {
        while !self.due.is_empty() {
            let Some(index) = self.free.pop_front() else { return };
            let Some(due) = self.due.pop_front() else { return };
            self.begin(index, due, Instant::now());
        }
    }

    /// The client's next request.
    fn begin(&mut self, index: usize, due: Instant, now: Instant) {
        let request = self.sequence[self.next % self.sequence.len()];
        self.next += 1;
        self.outcome.sent += 1;
        self.in_flight += 1;
        let client = &mut self.clients[index];
        client.request = request;
        client.response.reset();
        (client.due, client.sent, client.deadline) = (due, now, now + self.load.timeout);
        if client.stream.is_some() {
            self.send(index, 0);
        } else {
            self.connect(index, true);
        }
    }

    fn connect(&mut self, index: usize, request: bool) {
        self.outcome.connects += 1;
        self.clients[index].phase = Phase::Connecting { request };
        let opened = (|| {
            let family = if self.load.address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
            let socket = rustix::net::socket_with(family, SocketType::STREAM, SocketFlags::NONBLOCK | SocketFlags::CLOEXEC, None)?;
            sockopt::set_tcp_nodelay(&socket, true)?;
            match rustix::net::connect(&socket, &self.load.address) {
                Ok(()) | Err(rustix::io::Errno::INPROGRESS) => {}
                Err(e) => return Err(e),
            }
            epoll::add(&self.epoll, &socket, EventData::new_u64(index as u64), EventFlags::IN | EventFlags::OUT)?;
            Ok(TcpStream::from(socket))
        })();
        match opened {
            Ok(stream) => {
                self.clients[index].stream = Some(stream);
                self.clients[index].watches_out = true;
            }
            Err(e) => self.fail(index, Failure::Connect, io::Error::from(e).to_string()),
        }
    }

    /// Whether the client wants to know when it can write.
    fn watch(&mut self, index: usize, out: bool) {
        let client = &mut self.clients[index];
        if client.watches_out == out {
            return;
        }
        let Some(stream) = &client.stream else { return };
        let flags = if out { EventFlags::IN | EventFlags::OUT } else { EventFlags::IN };
        // It fails only for descriptors that are not watched, and these are.
        let _ = epoll::modify(&self.epoll, stream, EventData::new_u64(index as u64), flags);
        client.watches_out = out;
    }

    fn send(&mut self, index: usize, mut done: usize) {
        let client = &mut self.clients[index];
        let bytes = &self.load.requests[client.request].bytes;
        let Some(mut stream) = client.stream.as_ref() else { return };
        while done < bytes.len() {
            match stream.write(&bytes[done..]) {
                Ok(n) => done += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    client.phase = Phase::Sending(done);
                    return self.watch(index, true);
                }
                Err(e) => return self.fail(index, Failure::Closed, format!("sending: {e}")),
            }
        }
        client.phase = Phase::Receiving;
        self.watch(index, false);
    }

    fn receive(&mut self, index: usize) {
        let client = &mut self.clients[index];
        let Some(mut stream) = client.stream.as_ref() else { return };
        let n = match stream.read(&mut self.buffer) {
            Ok(n) => n,
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => return,
            Err(e) => return self.fail(index, Failure::Closed, e.to_string()),
        };
        if n == 0 {
            if client.response.closed() {
                return self.complete(index);
            }
            let what = if client.response.has_begun() { "in the middle of an answer" } else { "without an answer" };
            return self.fail(index, Failure::Closed, format!("the connection was closed {what}"));
        }
        match client.response.feed(&self.buffer[..n]) {
            Ok(Progress::More) => {}
            Ok(Progress::Complete(taken)) if taken == n => self.complete(index),
            Ok(Progress::Complete(_)) => self.fail(index, Failure::Protocol, "more bytes than the answer has".into()),
            Err(e) => self.fail(index, Failure::Protocol, e.0.into()),
        }
    }

    fn complete(&mut self, index: usize) {
        let now = Instant::now();
        let client = &mut self.clients[index];
        let (request, status) = (client.request, client.response.status());
        *self.outcome.statuses.entry(status).or_default() += 1;
        self.outcome.bytes += client.response.bytes();
        match self.checkers[request].check(status, client.response.body()) {
            Ok(()) => {
                let latency = now.saturating_duration_since(client.due).as_nanos() as u64;
                let service = now.saturating_duration_since(client.sent).as_nanos() as u64;
                self.outcome.latency_ns.saturating_record(latency.max(1));
                self.outcome.service_ns.saturating_record(service.max(1));
                let of_request = &mut self.outcome.requests[request];
                of_request.completed += 1;
                of_request.latency_ns_sum += u128::from(latency);
                of_request.body_bytes_last = client.response.body().len();
                if now < self.end {
                    self.outcome.completed += 1;
                    let tick = (now.saturating_duration_since(self.start).as_millis() as u64 / TICK_MS) as usize;
                    if self.outcome.ticks.len() <= tick {
                        self.outcome.ticks.resize(tick + 1, 0);
                    }
                    self.outcome.ticks[tick] += 1;
                }
                self.failures_in_a_row = 0;
            }
            Err(fault) => {
                let body = client.response.body();
                let (kind, what) = match fault {
                    Fault::Status(status) => (Failure::Status, format!("status {status}")),
                    Fault::Size(size) => (Failure::Size, format!("a body of {size} bytes")),
                    Fault::Phrase => (Failure::Phrase, "the phrase is missing".to_owned()),
                    Fault::Body => (Failure::Body, "the body is not the reference".to_owned()),
                };
                self.outcome.fail(kind, 1, || format!("{what}: {}", excerpt(body, 200)));
                self.failures_in_a_row += 1;
            }
        }
        if !self.clients[index].response.keep_alive() {
            self.drop_connection(index);
        }
        self.in_flight -= 1;
        self.clients[index].phase = Phase::Idle;
        self.go_on(index, now);
    }

    /// What a client does after an answer.
    fn go_on(&mut self, index: usize, now: Instant) {
        if self.load.pace != Pace::Closed {
            self.free.push_back(index);
            self.send_due();
        } else if self.running && now < self.end {
            self.begin(index, now, now);
        }
    }

    /// The client's request has failed with its connection.
    fn fail(&mut self, index: usize, kind: Failure, example: String) {
        self.drop_connection(index);
        self.failures_in_a_row += 1;
        let before_the_run = self.clients[index].phase == Phase::Connecting { request: false };
        self.clients[index].phase = Phase::Idle;
        if before_the_run {
            return;
        }
        self.outcome.fail(kind, 1, || example);
        self.in_flight -= 1;
        // Not at once: a server that refuses everybody must not cost the generator all its time, nor its stack.
        self.clients[index].phase = Phase::Backoff(Instant::now() + BACKOFF);
    }

    fn drop_connection(&mut self, index: usize) {
        // Closing takes it out of the epoll.
        self.clients[index].stream = None;
        self.clients[index].watches_out = false;
    }

    fn look_after_deadlines(&mut self) {
        let now = Instant::now();
        // All clients are looked at, so not at every turn.
        if now.saturating_duration_since(self.looked) < BACKOFF {
            return;
        }
        self.looked = now;
        for index in 0..self.clients.len() {
            let client = &self.clients[index];
            match client.phase {
                Phase::Connecting { request: true } | Phase::Sending(_) | Phase::Receiving if client.deadline <= now => {
                    let had = client.response.body().len();
                    let example = match client.phase {
                        Phase::Connecting { .. } => "no connection in time".to_owned(),
                        _ if client.response.has_begun() => format!("the answer had {had} bytes of its body when its time was over"),
                        _ => "no answer in time".to_owned(),
                    };
                    self.fail(index, Failure::Timeout, example);
                }
                Phase::Backoff(until) if until <= now => {
                    self.clients[index].phase = Phase::Idle;
                    self.go_on(index, now);
                }
                _ => {}
            }
        }
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec { tv_sec: duration.as_secs() as i64, tv_nsec: i64::from(duration.subsec_nanos()) }
}

fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.max(0) as u64, time.tv_nsec.clamp(0, 999_999_999) as u32)
}
