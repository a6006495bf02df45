//! The scripts of one executor thread: how they begin, get their turns, and what a panic in one costs.
//!
//! Every script has a waker of its own, which puts it among the ready ones; [`ScriptRunner::serve`] gives them turns as the
//! [`Schedule`] says. A request that meets an idle executor has its first turn at once, in its connection's task: most short
//! pages are complete then. Between two turns connections and timers are served, so that what is ready to be sent leaves.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use rustix::time::{ClockId, clock_gettime};
use tokio::sync::OwnedSemaphorePermit;

use crate::config::ErrorLog;
use crate::engine_api::{Executor, LocalFuture, ScriptRequest};
use crate::expectations::Entries;
use crate::executor::{Executors, Full, Job, Peer, Waiting, lock};
use crate::relief;
use crate::response::ResponseSink;
use crate::schedule::{Attained, Next, Queued, Schedule, ScriptId};

/// A turn from which on the thread's CPU time is asked for, which is a system call.
const LONG_TURN: Duration = Duration::from_millis(1);
/// How long an executor that relieves others stays without work.
const RELIEF_STAYS: Duration = Duration::from_secs(10);
/// A turn in which the thread was blocked (a slow disk) counts this part of its length at least: it kept others from the core too.
const BLOCKED_PART: u32 = 8;

/// Where the scripts of a connection run.
pub(crate) enum Dispatcher {
    /// On the connection's own executor, as a rule.
    Executor(Rc<ScriptRunner>),
    /// The connection is served by a thread that runs no scripts.
    Queue(Arc<Executors>),
}

impl Dispatcher {
    /// As [`ScriptRunner::dispatch`].
    pub(crate) fn dispatch(&self, request: ScriptRequest, sink: ResponseSink) -> Result<Option<Waiting>, Full> {
        match self {
            Dispatcher::Executor(runner) => runner.dispatch(request, sink),
            Dispatcher::Queue(executors) => executors.enqueue_from_outside(request, sink).map(Some),
        }
    }

    pub(crate) fn is_queue(&self) -> bool {
        matches!(self, Dispatcher::Queue(_))
    }
}

/// Runs the scripts of one executor thread.
pub(crate) struct ScriptRunner {
    id: usize,
    all: Arc<Executors>,
    executor: Box<dyn Executor>,
    errors: ErrorLog,
    /// A turn has been long, and connections have not been looked at since then.
    is_behind: Cell<bool>,
    /// The thread's CPU time when it was asked for last.
    cpu_mark: Cell<Duration>,
    /// Never borrowed while a script runs or ends.
    scripts: RefCell<Scripts>,
}

#[derive(Default)]
struct Scripts {
    /// All that have begun, but for the one that has its turn.
    begun: HashMap<ScriptId, Script>,
    schedule: Schedule,
    next_id: ScriptId,
}

/// What gets the core.
enum Turn {
    Script(Script),
    Begin(Box<Job>, OwnedSemaphorePermit),
}

impl ScriptRunner {
    pub(crate) fn new(
        id: usize,
        all: Arc<Executors>,
        executor: Box<dyn Executor>,
        errors: ErrorLog,
    ) -> ScriptRunner {
        ScriptRunner { id, all, executor, errors, is_behind: Cell::default(), cpu_mark: Cell::default(), scripts: RefCell::default() }
    }

    fn peer(&self) -> &Arc<Peer> {
        &self.all.peers[self.id]
    }

    /// Runs a script, here and at once if this executor is idle. Otherwise it waits, and begins on whichever executor has room first.
    pub(crate) fn dispatch(&self, request: ScriptRequest, sink: ResponseSink) -> Result<Option<Waiting>, Full> {
        let job = self.all.job(request, sink, self.id);
        let (has_room, is_idle) = {
            let mut scripts = self.scripts.borrow_mut();
            scripts.collect_woken(self.peer());
            (scripts.schedule.admits(Instant::now(), job.is_quick), scripts.schedule.is_empty())
        };
        let better = self.all.better_place(self.id, is_idle);
        // Of the requests that have come during a long turn, quick ones are read and begin before another long turn does.
        if has_room
            && (job.is_quick || !self.is_behind.get())
            && better.is_none()
            && !self.all.comes_after_others(job.is_quick)
            && let Some(permit) = self.all.permit()
        {
            self.begin(*job, permit);
            self.look_later();
            return Ok(None);
        }
        let waiting = self.all.enqueue(job)?;
        // An executor that has become idle since then looks at the queue by itself or is seen as idle now.
        let better = better.or_else(|| self.all.better_place(self.id, is_idle));
        better.unwrap_or(self.peer()).call.notify_one();
        Ok(Some(waiting))
    }

    /// Requests in flight on this executor.
    pub(crate) fn in_flight(&self) -> usize {
        self.peer().in_flight.load(Ordering::Relaxed)
    }

    /// Gives scripts their turns: for ever, or, as relief, until there has been nothing to do for a while.
    pub(crate) async fn serve(self: Rc<Self>) {
        let _end = EndOfService(self.clone());
        loop {
            if self.is_behind.get() {
                // Connections are accepted, and then read.
                tokio::task::yield_now().await;
                tokio::task::yield_now().await;
                self.is_behind.set(false);
            }
            let turn = self.next_turn().or_else(|| {
                if self.is_relief() {
                    return None;
                }
                self.peer().idle.store(true, Ordering::SeqCst);
                self.next_turn()
            });
            match turn {
                None if self.is_relief() && self.in_flight() == 0 => {
                    match tokio::time::timeout(RELIEF_STAYS, self.peer().call.notified()).await {
                        Ok(()) => continue,
                        Err(_) => return,
                    }
                }
                None => {
                    self.peer().call.notified().await;
                    continue;
                }
                Some(Turn::Script(script)) => self.give_turn(script),
                Some(Turn::Begin(mut job, permit)) => {
                    if job.home != self.id {
                        self.all.metrics.moved.fetch_add(1, Ordering::Relaxed);
                    }
                    // The time in the queue is not the script's, which may compare the clock with REQUEST_TIME_FLOAT.
                    job.request.received_at = SystemTime::now();
                    self.begin(*job, permit);
                }
            }
            if self.has_more() {
                tokio::task::yield_now().await;
            }
        }
    }

    fn has_more(&self) -> bool {
        let mut scripts = self.scripts.borrow_mut();
        scripts.collect_woken(self.peer());
        let queued = self.queued();
        !scripts.schedule.is_empty() || queued.quick || queued.others
    }

    fn is_relief(&self) -> bool {
        self.id >= self.all.split().0.len()
    }

    /// Which requests wait that this executor may begin.
    fn queued(&self) -> Queued {
        if self.is_relief() { relief::queued(&self.all) } else { self.all.queued() }
    }

    fn next_turn(&self) -> Option<Turn> {
        let mut scripts = self.scripts.borrow_mut();
        scripts.collect_woken(self.peer());
        let now = Instant::now();
        let mut next = scripts.schedule.next(now, self.queued());
        if let Some(Next::Begin { quick }) = next {
            match self.all.take(quick) {
                Some((job, permit)) => return Some(Turn::Begin(job, permit)),
                None => next = scripts.schedule.next(now, Queued::default()),
            }
        }
        match next? {
            Next::Script(id) => scripts.begun.remove(&id).map(Turn::Script),
            Next::Begin { .. } => None,
        }
    }

    /// After a turn outside of [`serve`](Self::serve): what it has left to do is done there.
    fn look_later(&self) {
        let mut scripts = self.scripts.borrow_mut();
        scripts.collect_woken(self.peer());
        let is_idle = scripts.schedule.is_empty();
        if is_idle {
            self.peer().idle.store(true, Ordering::SeqCst);
        }
        if !is_idle || self.all.has_queue() {
            self.peer().call.notify_one();
        }
    }

    fn begin(&self, job: Job, permit: OwnedSemaphorePermit) {
        let peer = self.peer();
        peer.in_flight.fetch_add(1, Ordering::Relaxed);
        let id = {
            let mut scripts = self.scripts.borrow_mut();
            scripts.next_id += 1;
            scripts.next_id
        };
        let filename = job.request.script_filename.clone();
        let state = Arc::new(ScriptWaker { id, is_woken: AtomicBool::new(false), peer: peer.clone() });
        let mut script = Script {
            id,
            future: None,
            filename,
            waker: state.clone().into(),
            state,
            attained: Attained::nothing(job.is_quick),
            entries: job.entries,
            _place: InFlight { all: self.all.clone(), id: self.id, permit: Some(permit) },
        };
        peer.idle.store(false, Ordering::SeqCst);
        match catch_unwind(AssertUnwindSafe(|| self.executor.run(job.request, job.sink))) {
            Ok(future) => script.future = Some(future),
            Err(panic) => return self.report(&*panic),
        }
        self.give_turn(script);
    }

    /// Polls a script once. Its sink, dropped by a panic, answers with 500.
    fn give_turn(&self, mut script: Script) {
        let Some(future) = &mut script.future else { return };
        self.peer().idle.store(false, Ordering::SeqCst);
        // From here on a wake-up is a new one.
        script.state.is_woken.swap(false, Ordering::AcqRel);
        let began = Instant::now();
        self.peer().turn_begins(began, &script.filename);
        let mut context = Context::from_waker(&script.waker);
        let outcome = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(&mut context)));
        self.peer().turn_ends();
        let now = Instant::now();
        if now.saturating_duration_since(began) >= LONG_TURN {
            self.is_behind.set(true);
        }
        {
            let scripts = &mut *self.scripts.borrow_mut();
            scripts.schedule.ran(&mut script.attained, self.core_time(now.saturating_duration_since(began)), now);
            if let Ok(Poll::Pending) = outcome {
                scripts.begun.insert(script.id, script);
                return;
            }
            scripts.schedule.ended(&script.attained);
            self.all.expectations.learn(script.entries, script.attained.time());
        }
        if let Err(panic) = outcome {
            self.report(&*panic);
        }
        self.drop_future(&mut script);
    }

    /// What a turn of this length has had of the core, which other processes may want too. What the thread has used since it was asked
    /// last includes other things than this turn if those were short, but is never more than the turn's length.
    fn core_time(&self, turn: Duration) -> Duration {
        if turn < LONG_TURN {
            return turn;
        }
        let time = clock_gettime(ClockId::ThreadCPUTime);
        let used = Duration::new(
            u64::try_from(time.tv_sec).unwrap_or(0),
            u32::try_from(time.tv_nsec).unwrap_or(0),
        );
        let since = used.saturating_sub(self.cpu_mark.replace(used));
        since.min(turn).max(turn / BLOCKED_PART)
    }

    /// Dropping what has just panicked may panic again.
    fn drop_future(&self, script: &mut Script) {
        let future = script.future.take();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(future))) {
            self.report(&*panic);
        }
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

impl Scripts {
    fn collect_woken(&mut self, peer: &Peer) {
        let mut woken = lock(&peer.woken);
        for id in woken.drain(..) {
            // A waker may outlive its script.
            if let Some(script) = self.begun.get(&id) {
                self.schedule.ready(id, &script.attained);
            }
        }
    }
}

/// The thread stops: its scripts end where they are, and the queue is left to the others.
struct EndOfService(Rc<ScriptRunner>);

impl Drop for EndOfService {
    fn drop(&mut self) {
        let runner = &*self.0;
        runner.peer().idle.store(false, Ordering::SeqCst);
        let begun = std::mem::take(&mut runner.scripts.borrow_mut().begun);
        for mut script in begun.into_values() {
            runner.drop_future(&mut script);
        }
        for peer in &runner.all.peers {
            peer.call.notify_one();
        }
    }
}

/// A script that has begun.
struct Script {
    id: ScriptId,
    future: Option<LocalFuture<()>>,
    filename: Bytes,
    state: Arc<ScriptWaker>,
    /// `state` as a waker.
    waker: Waker,
    attained: Attained,
    entries: Entries,
    _place: InFlight,
}

/// Makes a script ready, once until it runs.
struct ScriptWaker {
    id: ScriptId,
    is_woken: AtomicBool,
    peer: Arc<Peer>,
}

impl Wake for ScriptWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }
    fn wake_by_ref(self: &Arc<Self>) {
        if !self.is_woken.swap(true, Ordering::AcqRel) {
            lock(&self.peer.woken).push(self.id);
            self.peer.call.notify_one();
        }
    }
}

/// A place among the requests in flight.
struct InFlight {
    all: Arc<Executors>,
    id: usize,
    permit: Option<OwnedSemaphorePermit>,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.all.peers[self.id].in_flight.fetch_sub(1, Ordering::Relaxed);
        self.permit.take();
        self.all.place_is_free();
    }
}
