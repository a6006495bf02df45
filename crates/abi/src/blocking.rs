//! Work that may block a thread for as long as it likes: questions to file systems whose server is elsewhere.
//!
//! It is done by threads of its own while the script waits like for anything else, so that others of its executor go on and the
//! script can be ended. A thread that hangs cannot be: it is left alone, what it brings in the end is thrown away, and another one is
//! started in its place, up to [`THREADS_MAX`]. One file system has at most [`THREADS_OF_ONE_MAX`], which leaves some for the others;
//! what finds no thread waits.

use crate::mounts::{self, Mount};
use crate::Cx;
use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::time::Duration;

pub const THREADS_MAX: usize = 64;
pub const THREADS_OF_ONE_MAX: usize = 32;
/// A thread without work ends after this time.
const IDLE_MAX: Duration = Duration::from_secs(10);
const STACK_BYTES: usize = 256 << 10;

struct Job {
    id: u64,
    mount: Mount,
    work: Box<dyn FnOnce() + Send>,
}

#[derive(Default)]
struct State {
    last_id: u64,
    /// Of requests that still wait; what they withdraw is gone at once.
    queue: VecDeque<Job>,
    /// Threads at work, by what they work on.
    busy: Option<HashMap<Mount, usize>>,
    threads: usize,
    idle: usize,
}

static STATE: Mutex<State> = Mutex::new(State { last_id: 0, queue: VecDeque::new(), busy: None, threads: 0, idle: 0 });
static WORK: Condvar = Condvar::new();

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics under these locks.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn busy(&mut self) -> &mut HashMap<Mount, usize> {
        self.busy.get_or_insert_default()
    }
    fn may_begin(&self, mount: Mount) -> bool {
        self.busy.as_ref().and_then(|b| b.get(&mount)).is_none_or(|n| *n < THREADS_OF_ONE_MAX)
    }
    /// The oldest job that may begin.
    fn take(&mut self) -> Option<Job> {
        let at = self.queue.iter().position(|job| self.may_begin(job.mount))?;
        let job = self.queue.remove(at)?;
        *self.busy().entry(job.mount).or_default() += 1;
        Some(job)
    }
    fn ended(&mut self, mount: Mount) {
        if let Some(n) = self.busy().get_mut(&mount) {
            *n -= 1;
            if *n == 0 {
                self.busy().remove(&mount);
            }
        }
    }
}

/// Puts work into the queue: its number there.
fn submit(mount: Mount, work: Box<dyn FnOnce() + Send>) -> u64 {
    let mut state = lock(&STATE);
    state.last_id += 1;
    let id = state.last_id;
    state.queue.push_back(Job { id, mount, work });
    if state.queue.len() <= state.idle {
        WORK.notify_one();
    } else if state.threads < THREADS_MAX && state.may_begin(mount) {
        state.threads += 1;
        let thread = std::thread::Builder::new().name("blocking".into()).stack_size(STACK_BYTES).spawn(work_on);
        if thread.is_err() {
            state.threads -= 1;
            // The threads that are there do it in time; where there is none this one must.
            let job = if state.threads == 0 { state.queue.pop_back() } else { None };
            drop(state);
            if let Some(job) = job {
                (job.work)();
            }
        }
    }
    id
}

fn work_on() {
    let mut state = lock(&STATE);
    loop {
        if let Some(job) = state.take() {
            drop(state);
            (job.work)();
            state = lock(&STATE);
            state.ended(job.mount);
            continue;
        }
        state.idle += 1;
        let (woken, wait) = WORK.wait_timeout(state, IDLE_MAX).unwrap_or_else(PoisonError::into_inner);
        state = woken;
        state.idle -= 1;
        if wait.timed_out() && !state.queue.iter().any(|job| state.may_begin(job.mount)) {
            state.threads -= 1;
            return;
        }
    }
}

/// What a thread brings, and who waits for it.
struct Slot<T> {
    done: Option<std::thread::Result<T>>,
    waker: Option<Waker>,
}

/// The request is over before its work has begun.
struct Withdraw(u64);

impl Drop for Withdraw {
    fn drop(&mut self) {
        let withdrawn = {
            let mut state = lock(&STATE);
            let at = state.queue.iter().position(|job| job.id == self.0);
            at.and_then(|at| state.queue.remove(at))
        };
        drop(withdrawn);
    }
}

/// Does the work, on another thread if it is about a file system that may not answer. When the instance is cancelled meanwhile, this
/// call does not return: it unwinds.
pub fn on<T: Send + 'static>(cx: &mut Cx, mount: Option<Mount>, work: impl FnOnce() -> T + Send + 'static) -> T {
    let Some(mount) = mount else { return work() };
    let slot = Arc::new(Mutex::new(Slot { done: None, waker: None }));
    let brought = slot.clone();
    let id = submit(
        mount,
        Box::new(move || {
            let done = catch_unwind(AssertUnwindSafe(work));
            let mut slot = lock(&brought);
            slot.done = Some(done);
            let waker = slot.waker.take();
            drop(slot);
            if let Some(waker) = waker {
                waker.wake();
            }
        }),
    );
    let _withdraw = Withdraw(id);
    let done = cx.wait(poll_fn(|context| {
        let mut slot = lock(&slot);
        match slot.done.take() {
            Some(done) => Poll::Ready(done),
            None => {
                slot.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }));
    done.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Asks the file system about an absolute path, as [`on`].
pub fn at<T: Send + 'static>(cx: &mut Cx, path: &Path, ask: impl FnOnce(&Path) -> T + Send + 'static) -> T {
    match mount_of(cx, path) {
        None => ask(path),
        mount => {
            let path = path.to_path_buf();
            on(cx, mount, move || ask(&path))
        }
    }
}

/// The file system that an absolute path leads to, if questions to it are for other threads. On the command line nobody else
/// waits for this one, and a child of `pcntl_fork` would have no other threads.
#[inline]
pub fn mount_of(cx: &Cx, path: &Path) -> Option<Mount> {
    if cx.timer.is_none() || crate::request::on_command_line() { None } else { mounts::remote(path) }
}

/// Does the work as [`on`] would, for nobody: the end of what a request has left behind.
pub fn detached(mount: Option<Mount>, work: impl FnOnce() + Send + 'static) {
    match mount {
        None => work(),
        Some(mount) => {
            submit(mount, Box::new(move || drop(catch_unwind(AssertUnwindSafe(work)))));
        }
    }
}
