//! The executors together: the queue of requests that have not begun, the bound of those that have, and the totals.
//!
//! There are two queues for all executors, in the order of arrival: of requests that are expected to be quick, and of others. An executor that is *idle* (none of its scripts is ready) begins a
//! request of its own connections at once, without the queue; otherwise the request goes into the queue, an idle executor is called, and
//! a busy one takes from the queue when its [`Schedule`](crate::schedule::Schedule) has room. So a core is never without work while
//! a request waits, and an executor that is held up (a builtin that cannot give up its turn) holds up none but its own.
//!
//! Who adds to the queue looks for idle executors afterwards, who becomes idle looks at the queue afterwards: neither misses the other.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use crate::config::ServerConfig;
use crate::descriptors::Descriptors;
use crate::engine_api::ScriptRequest;
use crate::expectations::{Entries, Expectations};
use crate::response::ResponseSink;
use crate::schedule::{Queued, ScriptId};

/// An executor whose script's turn lasts longer is late: twice a time slice.
const LATE: Duration = Duration::from_millis(20);
/// A request leaves an idle executor for another idle one that has fewer requests in flight by this.
const MOVE_FROM: usize = 4;
/// Withdrawn places at which the queue is tidied, if they are the most of it.
const WITHDRAWN_MAX: usize = 64;

/// One executor, as the others and the wakers of its scripts see it.
#[derive(Default)]
pub(crate) struct Peer {
    pub in_flight: AtomicUsize,
    /// None of its scripts is ready.
    pub idle: AtomicBool,
    /// Scripts that have become ready since the executor looked last.
    pub woken: Mutex<Vec<ScriptId>>,
    /// Wakes the executor to look at `woken` and at the queue.
    pub call: Notify,
    /// What the thread does now, if it runs a script.
    turn: Mutex<Option<(Instant, Bytes)>>,
    /// Another executor needs descriptors: idle connections are to be closed.
    pub close_idle: Notify,
}

impl Peer {
    /// The thread runs this script from now on.
    pub(crate) fn turn_begins(&self, now: Instant, script: &Bytes) {
        *lock(&self.turn) = Some((now, script.clone()));
    }

    /// It does not any more.
    pub(crate) fn turn_ends(&self) {
        *lock(&self.turn) = None;
    }

    /// For how long the script has been running whose turn it is.
    pub(crate) fn turn_length(&self) -> Option<Duration> {
        lock(&self.turn).as_ref().map(|(began, _)| began.elapsed())
    }

    /// For how long the script has been running whose turn it is, if that is too long.
    pub(crate) fn late_for(&self) -> Option<Duration> {
        self.turn_length().filter(|length| *length > LATE)
    }

    /// The beginning and the script of a turn that is longer than this.
    pub(crate) fn turn_since(&self, length: Duration) -> Option<(Instant, Bytes)> {
        lock(&self.turn).clone().filter(|(began, _)| began.elapsed() > length)
    }
}

/// All executors, and what they share.
pub(crate) struct Executors {
    /// Those with connections, then those that relieve them ([`relief`](crate::relief)).
    pub peers: Vec<Arc<Peer>>,
    with_connections: usize,
    in_flight: Arc<Semaphore>,
    /// Of others, and of quick ones.
    queues: [Queue; 2],
    pub expectations: Expectations,
    queue_len_max: usize,
    pub queue_wait_max: Duration,
    pub connections: AtomicUsize,
    /// No request begins beside others ([`memory`](crate::memory)).
    is_memory_short: AtomicBool,
    in_flight_max: usize,
    pub descriptors: Descriptors,
    pub metrics: Counters,
}

/// Requests that have not begun, in the order of arrival.
#[derive(Default)]
struct Queue {
    places: Mutex<VecDeque<Arc<Place>>>,
    /// Those that have not been withdrawn.
    len: AtomicUsize,
}

impl Queue {
    fn len(&self) -> usize {
        self.len.load(Ordering::SeqCst)
    }

    fn vacate(&self, place: &Place) -> Option<Box<Job>> {
        let job = lock(place).take()?;
        self.len.fetch_sub(1, Ordering::SeqCst);
        Some(job)
    }
}

/// Totals since the start.
#[derive(Default)]
pub(crate) struct Counters {
    pub requests: AtomicUsize,
    pub shed: AtomicUsize,
    pub failed: AtomicUsize,
    pub moved: AtomicUsize,
    pub ended_for_memory: AtomicUsize,
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
    /// Scripts that were ended because the process had no more memory.
    pub ended_for_memory: usize,
    /// Requests that have begun and not ended.
    pub in_flight: usize,
    /// Requests that have not begun.
    pub queued: usize,
    pub connections: usize,
}

/// A script to run.
pub(crate) struct Job {
    pub request: ScriptRequest,
    pub sink: ResponseSink,
    /// The executor of its connection.
    pub home: usize,
    pub entries: Entries,
    /// It is expected to end within a time slice.
    pub is_quick: bool,
}

/// A place in the queue; empty when its request has begun or has been withdrawn.
type Place = Mutex<Option<Box<Job>>>;

/// A request in the queue, as its connection has it. Dropping this withdraws the request if it has not begun: its client is gone.
pub(crate) struct Waiting {
    place: Arc<Place>,
    is_quick: bool,
    executors: Arc<Executors>,
}

impl Waiting {
    /// The request shall not begin any more; false: it has.
    pub(crate) fn withdraw(&self) -> bool {
        self.executors.queue(self.is_quick).vacate(&self.place).is_some()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.withdraw();
    }
}

/// The queue is full.
pub(crate) struct Full;

/// No code of others runs under the locks of this module, so a poisoned one is still whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Executors {
    pub(crate) fn new(config: &ServerConfig) -> Arc<Executors> {
        Arc::new(Executors {
            // Each can be relieved.
            peers: (0..2 * config.executor_count()).map(|_| Arc::default()).collect(),
            with_connections: config.executor_count(),
            in_flight: Arc::new(Semaphore::new(
                config.in_flight_max.clamp(1, Semaphore::MAX_PERMITS),
            )),
            queues: Default::default(),
            expectations: Expectations::new(),
            queue_len_max: config.queue_len_max,
            queue_wait_max: Duration::from_millis(config.queue_wait_ms_max),
            connections: AtomicUsize::new(0),
            is_memory_short: AtomicBool::new(false),
            in_flight_max: config.in_flight_max.clamp(1, Semaphore::MAX_PERMITS),
            descriptors: Descriptors::of_process(config.connections_max, config.executor_count()),
            metrics: Counters::default(),
        })
    }

    pub(crate) fn has_queue(&self) -> bool {
        self.queues.iter().any(|queue| queue.len() > 0)
    }

    /// Whether a request of this kind has others before it in the queues.
    pub(crate) fn comes_after_others(&self, quick: bool) -> bool {
        self.queue(true).len() > 0 || !quick && self.queue(false).len() > 0
    }

    /// The executors with connections, and those that relieve them.
    pub(crate) fn split(&self) -> (&[Arc<Peer>], &[Arc<Peer>]) {
        self.peers.split_at(self.with_connections)
    }

    /// Which requests wait in the queues.
    pub(crate) fn queued(&self) -> Queued {
        let [others, quick] = self.queues.each_ref().map(|queue| queue.len() > 0);
        Queued { quick, others }
    }

    /// A place among the requests in flight.
    pub(crate) fn permit(&self) -> Option<OwnedSemaphorePermit> {
        if self.is_memory_short.load(Ordering::Relaxed) && self.in_flight.available_permits() < self.in_flight_max {
            return None;
        }
        self.in_flight.clone().try_acquire_owned().ok()
    }

    /// While memory is short no request begins beside others; those in the queue begin afterwards.
    pub(crate) fn set_memory_short(&self, is_short: bool) {
        if self.is_memory_short.swap(is_short, Ordering::Relaxed) && !is_short && self.has_queue() {
            for peer in &self.peers {
                peer.call.notify_one();
            }
        }
    }

    pub(crate) fn count_ended_for_memory(&self) {
        self.metrics.ended_for_memory.fetch_add(1, Ordering::Relaxed);
    }

    /// A request, with what is expected of it.
    pub(crate) fn job(&self, request: ScriptRequest, sink: ResponseSink, home: usize) -> Box<Job> {
        let entries = self.expectations.entries(&request);
        let is_quick = self.expectations.is_quick(entries);
        Box::new(Job { request, sink, home, entries, is_quick })
    }

    /// Puts a request at the end of its queue. The caller calls an executor.
    pub(crate) fn enqueue(self: &Arc<Self>, job: Box<Job>) -> Result<Waiting, Full> {
        let is_quick = job.is_quick;
        let queue = self.queue(is_quick);
        let ahead = queue.len.fetch_add(1, Ordering::SeqCst);
        if ahead >= self.queue_len_max {
            queue.len.fetch_sub(1, Ordering::SeqCst);
            return Err(Full);
        }
        let place = Arc::new(Mutex::new(Some(job)));
        let mut places = lock(&queue.places);
        if places.len() > 2 * ahead + WITHDRAWN_MAX {
            places.retain(|place| lock(place).is_some());
        }
        places.push_back(place.clone());
        drop(places);
        Ok(Waiting { place, is_quick, executors: self.clone() })
    }

    fn queue(&self, quick: bool) -> &Queue {
        &self.queues[usize::from(quick)]
    }

    /// The first request of a queue, if another one may be in flight.
    pub(crate) fn take(&self, quick: bool) -> Option<(Box<Job>, OwnedSemaphorePermit)> {
        let queue = self.queue(quick);
        if queue.len() == 0 {
            return None;
        }
        let permit = self.permit()?;
        let mut places = lock(&queue.places);
        while let Some(place) = places.pop_front() {
            if let Some(job) = queue.vacate(&place) {
                return Some((job, permit));
            }
        }
        None
    }

    /// The idle executor where a request of executor `own` should begin rather than there; `own_is_idle` as of now.
    pub(crate) fn better_place(&self, own: usize, own_is_idle: bool) -> Option<&Peer> {
        let in_flight = |peer: &Peer| peer.in_flight.load(Ordering::Relaxed);
        let others = self.peers.iter().enumerate().filter(|&(id, _)| id != own);
        let idle = others.filter(|(_, peer)| peer.idle.load(Ordering::SeqCst));
        let (_, least) = idle.min_by_key(|(_, peer)| in_flight(peer))?;
        (!own_is_idle || in_flight(least) + MOVE_FROM <= in_flight(&self.peers[own])).then_some(least)
    }

    /// A request is no longer in flight: one that waited for its place may begin.
    pub(crate) fn place_is_free(&self) {
        if self.has_queue()
            && let Some(idle) = self.peers.iter().find(|peer| peer.idle.load(Ordering::SeqCst))
        {
            idle.call.notify_one();
        }
    }

    /// Descriptors run short, and executor `own` has no idle connection: the others close some of theirs.
    pub(crate) fn close_idle_of_others(&self, own: Option<usize>) {
        for (_, peer) in self.peers.iter().enumerate().filter(|&(id, _)| Some(id) != own) {
            peer.close_idle.notify_one();
        }
    }

    /// Requests of any kind since the start.
    pub(crate) fn requests(&self) -> usize {
        self.metrics.requests.load(Ordering::Relaxed)
    }

    /// Puts a request from a thread that runs no scripts into the queue.
    pub(crate) fn enqueue_from_outside(self: &Arc<Self>, request: ScriptRequest, sink: ResponseSink) -> Result<Waiting, Full> {
        let waiting = self.enqueue(self.job(request, sink, usize::MAX))?;
        match self.better_place(usize::MAX, false) {
            Some(idle) => idle.call.notify_one(),
            // Whichever has room first takes it.
            None => self.peers.iter().for_each(|peer| peer.call.notify_one()),
        }
        Ok(waiting)
    }

    pub(crate) fn has_room_for_connections(&self) -> bool {
        self.connections.load(Ordering::Relaxed) <= self.descriptors.connections_max
    }

    pub(crate) fn snapshot(&self, in_flight_max: usize) -> ServerMetrics {
        let load = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        ServerMetrics {
            requests: load(&self.metrics.requests),
            shed: load(&self.metrics.shed),
            failed: load(&self.metrics.failed),
            moved: load(&self.metrics.moved),
            ended_for_memory: load(&self.metrics.ended_for_memory),
            in_flight: in_flight_max.saturating_sub(self.in_flight.available_permits()),
            queued: self.queues.iter().map(Queue::len).sum(),
            connections: load(&self.connections),
        }
    }
}
