//! Long computations that nobody can interrupt: they run on threads beside the executors'.
//!
//! What can be interrupted counts its work instead ([`Work`](crate::Work)), on its own thread. Here is the rest: libraries that make a key
//! or a hash in one call. There are as many threads as cores, and they leave executors the greater part of a core that both want; they
//! end when nobody computes. Computations that do not begin at once queue, and leave the queue with their script.

use crate::Cx;
use crate::wait::fork;
use rustix::time::{ClockId, clock_gettime};
use std::future::poll_fn;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// The threads' niceness: an executor that wants the same core gets three quarters of it.
const NICENESS: i32 = 5;
/// How long a thread without work stays.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// The runtime's own thread is never used, only those that it has for blocking work.
fn pool() -> Option<&'static Runtime> {
    static POOL: OnceLock<Option<Runtime>> = OnceLock::new();
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let make = || {
        let mut builder = Builder::new_current_thread();
        builder.thread_name("compute").max_blocking_threads(cores()).thread_keep_alive(KEEP_ALIVE);
        // Refused, the thread computes all the same.
        builder.on_thread_start(|| _ = rustix::process::setpriority_process(None, NICENESS));
        builder.build().ok()
    };
    POOL.get_or_init(make).as_ref()
}

fn thread_cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// A computation that is not begun any more when its script has gone.
struct Computation<T>(JoinHandle<T>);

impl<T> Drop for Computation<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Cx {
    /// Computes on a thread of the pool, while the instance waits; the time counts for its limit. A script that has a process of its own
    /// computes on its own thread: nobody else waits for that. A panic goes on here.
    pub fn compute<T: Send + 'static>(&mut self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let shares_its_thread = self.timer.is_some() && fork::state() == fork::State::Unsupported;
        let Some(pool) = shares_its_thread.then(pool).flatten() else { return work() };
        let timed = move || {
            let before = thread_cpu_time();
            let output = work();
            (output, thread_cpu_time().saturating_sub(before))
        };
        let mut computation = Computation(pool.spawn_blocking(timed));
        match self.wait(poll_fn(|context| Pin::new(&mut computation.0).poll(context))) {
            Ok((output, cpu_time)) => {
                self.engine().count_cpu_time(self, cpu_time);
                output
            }
            // It is not aborted while somebody waits for it.
            Err(error) => resume_unwind(error.into_panic()),
        }
    }
}
