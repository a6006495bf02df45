//! Long computations that nobody can interrupt: they run on threads beside the executors'.
//!
//! What can be interrupted counts its work instead ([`Work`](crate::Work)), on its own thread. Here is the rest: libraries that make a key
//! or a hash in one call. As many compute at a time as there are cores, and leave executors the greater part of a core that both want.
//! Others queue, and leave the queue with their script. A computation goes on when its script has been ended; after [`PATIENCE`] it does
//! not hold up others any more, up to [`THREADS_MAX`].

use crate::Cx;
use crate::wait::fork;
use rustix::time::{ClockId, clock_gettime};
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::runtime::{Builder, Handle};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::{JoinError, spawn_blocking};

/// The threads' niceness: an executor that wants the same core gets three quarters of it.
const NICENESS: i32 = 5;
/// How long a thread without work stays.
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// How long a computation counts as one of those that run at a time.
const PATIENCE: Duration = Duration::from_secs(10);
const THREADS_MAX: usize = 32;

struct Pool {
    runtime: Handle,
    turns: Semaphore,
}

fn pool() -> Option<&'static Pool> {
    static POOL: OnceLock<Option<Pool>> = OnceLock::new();
    let start = || {
        let mut builder = Builder::new_current_thread();
        builder.enable_time().thread_name("compute").max_blocking_threads(THREADS_MAX).thread_keep_alive(KEEP_ALIVE);
        // Refused, the thread computes all the same.
        builder.on_thread_start(|| _ = rustix::process::setpriority_process(None, NICENESS));
        let runtime = builder.build().ok()?;
        let handle = runtime.handle().clone();
        // This thread gives turns.
        let giving = move || runtime.block_on(std::future::pending::<()>());
        std::thread::Builder::new().name("compute-turns".into()).spawn(giving).ok()?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Some(Pool { runtime: handle, turns: Semaphore::new(cores) })
    };
    POOL.get_or_init(start).as_ref()
}

/// Computes when it is its turn, if the answer is still awaited.
async fn in_turn<T: Send + 'static>(turns: &Semaphore, work: impl FnOnce() -> T + Send + 'static, answer: oneshot::Sender<Result<T, JoinError>>) {
    let turn = turns.acquire().await;
    if answer.is_closed() {
        return;
    }
    let mut running = spawn_blocking(work);
    let output = match tokio::time::timeout(PATIENCE, &mut running).await {
        Ok(output) => output,
        Err(_) => {
            drop(turn);
            running.await
        }
    };
    // Nobody may want it any more.
    _ = answer.send(output);
}

fn thread_cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
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
        let (answer, answered) = oneshot::channel();
        pool.runtime.spawn(in_turn(&pool.turns, timed, answer));
        match self.wait(answered) {
            Ok(Ok((output, cpu_time))) => {
                self.engine().count_cpu_time(self, cpu_time);
                output
            }
            Ok(Err(error)) => resume_unwind(error.into_panic()),
            Err(_) => panic!("the pool of computing threads has gone"),
        }
    }
}
