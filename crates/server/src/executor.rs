//! Executor threads: where scripts run, how a request finds the least busy one, and what a panic costs.
//!
//! A request runs where its connection is, unless that executor is clearly busier than another: then the request
//! alone moves, and its answer comes back through the [`ResponseSource`](crate::response::ResponseSource). Being
//! busy is the number of requests in flight, where one whose last turn on the core was long weighs more: requests
//! that sleep hardly count.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::config::{ErrorLog, ServerConfig};
use crate::engine_api::{Executor, LocalFuture, ScriptRequest};
use crate::response::ResponseSink;

/// A turn on the core from which on a request counts as computing rather than waiting.
const LONG_TURN: Duration = Duration::from_millis(1);
/// How much more a computing request weighs than a waiting one.
const COMPUTING_WEIGHT: usize = 8;
/// A turn from which on the executor counts as held up: scripts give up their turn much sooner, so this one is in a builtin that
/// cannot (a pattern that backtracks, a huge sort).
const HELD_UP_MS: u64 = 50;
/// How much more such an executor weighs.
const HELD_UP_WEIGHT: usize = 64;
/// A request moves when its own executor's load exceeds the smallest by this.
const MOVE_FROM: usize = 4;

/// How busy one executor is, for all to see.
#[derive(Default)]
struct Load {
    in_flight: AtomicUsize,
    computing: AtomicUsize,
    /// When the turn that is going on began, as [`clock_ms`] has it; 0: none is.
    turn_began_ms: AtomicU64,
}

impl Load {
    fn weight(&self) -> usize {
        let computing = self.computing.load(Ordering::Relaxed);
        let held_up = match self.turn_began_ms.load(Ordering::Relaxed) {
            0 => 0,
            began if clock_ms().saturating_sub(began) >= HELD_UP_MS => HELD_UP_WEIGHT,
            _ => 0,
        };
        self.in_flight
            .load(Ordering::Relaxed)
            .saturating_add(computing.saturating_mul(COMPUTING_WEIGHT))
            .saturating_add(held_up)
    }
}

/// Milliseconds since the first call, from 1.
fn clock_ms() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let since = START.get_or_init(Instant::now).elapsed().as_millis();
    u64::try_from(since).unwrap_or(u64::MAX - 1) + 1
}

/// One executor, as the others see it.
struct Peer {
    load: Load,
    inbox: mpsc::UnboundedSender<Job>,
}

/// All executors, and the bounds they share.
pub(crate) struct Executors {
    peers: Vec<Peer>,
    in_flight: Arc<Semaphore>,
    queued: AtomicUsize,
    queue_len_max: usize,
    queue_wait_max: Duration,
    pub connections: AtomicUsize,
    pub metrics: Counters,
}

/// Totals since the start.
#[derive(Default)]
pub(crate) struct Counters {
    pub requests: AtomicUsize,
    pub shed: AtomicUsize,
    pub failed: AtomicUsize,
    pub moved: AtomicUsize,
}

/// A snapshot of the server's counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerMetrics {
    /// Requests received, of any kind.
    pub requests: usize,
    /// Requests answered with 503 because the server was full.
    pub shed: usize,
    /// Scripts that panicked or ended without an answer.
    pub failed: usize,
    /// Requests that ran on another executor than their connection's.
    pub moved: usize,
    pub in_flight: usize,
    pub queued: usize,
    pub connections: usize,
}

/// A script to run, with its place among the requests in flight. Bounded by those places, so the inbox needs none.
pub(crate) struct Job {
    pub request: ScriptRequest,
    pub sink: ResponseSink,
    pub permit: OwnedSemaphorePermit,
}

/// The receiving end of an executor's inbox.
pub(crate) type Inbox = mpsc::UnboundedReceiver<Job>;

impl Executors {
    pub(crate) fn new(config: &ServerConfig) -> (Arc<Executors>, Vec<Inbox>) {
        let mut peers = Vec::new();
        let mut inboxes = Vec::new();
        for _ in 0..config.executor_count() {
            let (inbox, receiver) = mpsc::unbounded_channel();
            peers.push(Peer {
                load: Load::default(),
                inbox,
            });
            inboxes.push(receiver);
        }
        let executors = Executors {
            peers,
            in_flight: Arc::new(Semaphore::new(
                config.in_flight_max.clamp(1, Semaphore::MAX_PERMITS),
            )),
            queued: AtomicUsize::new(0),
            queue_len_max: config.queue_len_max,
            queue_wait_max: Duration::from_millis(config.queue_wait_ms_max),
            connections: AtomicUsize::new(0),
            metrics: Counters::default(),
        };
        (Arc::new(executors), inboxes)
    }

    /// A place among the requests in flight; nothing when the queue is full or the wait too long.
    pub(crate) async fn admit(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(permit) = self.in_flight.clone().try_acquire_owned() {
            return Some(permit);
        }
        let place = QueuePlace::take(self);
        if place.ahead >= self.queue_len_max {
            return None;
        }
        tokio::time::timeout(self.queue_wait_max, self.in_flight.clone().acquire_owned())
            .await
            .ok()?
            .ok()
    }

    /// The executor a request should run on.
    fn choose(&self, own: usize) -> usize {
        let own_weight = self.peers[own].load.weight();
        if own_weight < MOVE_FROM {
            return own;
        }
        let least = (0..self.peers.len())
            .map(|at| (self.peers[at].load.weight(), at))
            .min();
        match least {
            Some((weight, at)) if own_weight - weight.min(own_weight) >= MOVE_FROM => at,
            _ => own,
        }
    }

    pub(crate) fn snapshot(&self, in_flight_max: usize) -> ServerMetrics {
        let load = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        ServerMetrics {
            requests: load(&self.metrics.requests),
            shed: load(&self.metrics.shed),
            failed: load(&self.metrics.failed),
            moved: load(&self.metrics.moved),
            in_flight: in_flight_max.saturating_sub(self.in_flight.available_permits()),
            queued: load(&self.queued),
            connections: load(&self.connections),
        }
    }
}

/// A place in the queue; left also when the client gives up.
struct QueuePlace<'a> {
    executors: &'a Executors,
    ahead: usize,
}

impl QueuePlace<'_> {
    fn take(executors: &Executors) -> QueuePlace<'_> {
        QueuePlace {
            executors,
            ahead: executors.queued.fetch_add(1, Ordering::Relaxed),
        }
    }
}

impl Drop for QueuePlace<'_> {
    fn drop(&mut self) {
        self.executors.queued.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The scripts of one executor thread.
pub(crate) struct ScriptRunner {
    id: usize,
    all: Arc<Executors>,
    executor: Box<dyn Executor>,
    errors: ErrorLog,
}

impl ScriptRunner {
    pub(crate) fn new(
        id: usize,
        all: Arc<Executors>,
        executor: Box<dyn Executor>,
        errors: ErrorLog,
    ) -> ScriptRunner {
        ScriptRunner {
            id,
            all,
            executor,
            errors,
        }
    }

    /// Runs a script here or on a less busy executor.
    pub(crate) fn dispatch(&self, job: Job) {
        let at = self.all.choose(self.id);
        if at == self.id {
            return self.run(job);
        }
        self.all.metrics.moved.fetch_add(1, Ordering::Relaxed);
        if let Err(mpsc::error::SendError(job)) = self.all.peers[at].inbox.send(job) {
            // That executor has stopped; this one still can.
            self.run(job);
        }
    }

    /// Requests in flight on this executor.
    pub(crate) fn in_flight(&self) -> usize {
        self.all.peers[self.id]
            .load
            .in_flight
            .load(Ordering::Relaxed)
    }

    /// Takes what other executors send here, for ever.
    pub(crate) async fn serve_inbox(self: Rc<Self>, mut inbox: Inbox) {
        while let Some(job) = inbox.recv().await {
            self.run(job);
        }
    }

    /// Polls a script once at once: most short pages are complete then, and need no task of their own.
    fn run(&self, job: Job) {
        let Job {
            request,
            sink,
            permit,
        } = job;
        self.all.peers[self.id]
            .load
            .in_flight
            .fetch_add(1, Ordering::Relaxed);
        let mut task = ScriptTask {
            future: None,
            computing: false,
            all: self.all.clone(),
            id: self.id,
            errors: self.errors.clone(),
            _permit: permit,
        };
        match catch_unwind(AssertUnwindSafe(|| self.executor.run(request, sink))) {
            Ok(future) => task.future = Some(future),
            Err(panic) => return task.report(&*panic),
        }
        // A wake-up in between is not lost: the spawned task polls again first thing.
        if Pin::new(&mut task)
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_pending()
        {
            tokio::task::spawn_local(task);
        }
    }
}

/// A running script. A panic in it ends here; its sink, dropped on the way, answers with 500.
struct ScriptTask {
    future: Option<LocalFuture<()>>,
    computing: bool,
    all: Arc<Executors>,
    id: usize,
    errors: ErrorLog,
    _permit: OwnedSemaphorePermit,
}

impl ScriptTask {
    fn set_computing(&mut self, computing: bool) {
        let counter = &self.all.peers[self.id].load.computing;
        match (self.computing, computing) {
            (false, true) => counter.fetch_add(1, Ordering::Relaxed),
            (true, false) => counter.fetch_sub(1, Ordering::Relaxed),
            _ => return,
        };
        self.computing = computing;
    }

    fn report(&self, panic: &(dyn Any + Send)) {
        let text = panic
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("unknown cause");
        (self.errors)(&format!("a request failed with an internal error: {text}"));
    }
}

impl Future for ScriptTask {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let Some(future) = &mut this.future else {
            return Poll::Ready(());
        };
        let began = Instant::now();
        let turn = &this.all.peers[this.id].load.turn_began_ms;
        turn.store(clock_ms(), Ordering::Relaxed);
        let outcome = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)));
        turn.store(0, Ordering::Relaxed);
        match outcome {
            Ok(Poll::Pending) => {
                this.set_computing(began.elapsed() >= LONG_TURN);
                return Poll::Pending;
            }
            Ok(Poll::Ready(())) => {}
            Err(panic) => this.report(&*panic),
        }
        // Dropping what has just panicked may panic again.
        let future = this.future.take();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(future))) {
            this.report(&*panic);
        }
        Poll::Ready(())
    }
}

impl Drop for ScriptTask {
    fn drop(&mut self) {
        self.set_computing(false);
        self.all.peers[self.id]
            .load
            .in_flight
            .fetch_sub(1, Ordering::Relaxed);
    }
}
