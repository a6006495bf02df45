//! Threads beside the executors', for work that would hold up other scripts; `compute` and `blocking` each have some of their own.

use std::time::Duration;
use tokio::runtime::{Builder, Handle};

/// How long a thread without work stays.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// Where `spawn_blocking` starts at most `threads_max` threads with a name, each of which calls `begin`. Tasks run on one more. None: the
/// system refuses even that one.
pub(crate) fn start(name: &'static str, threads_max: usize, stack_bytes: usize, begin: fn()) -> Option<Handle> {
    let mut builder = Builder::new_current_thread();
    builder.enable_time().thread_name(name).thread_stack_size(stack_bytes).max_blocking_threads(threads_max).thread_keep_alive(KEEP_ALIVE);
    builder.on_thread_start(begin);
    let runtime = builder.build().ok()?;
    let handle = runtime.handle().clone();
    let tasks = move || runtime.block_on(std::future::pending::<()>());
    std::thread::Builder::new().name(format!("{name}-tasks")).stack_size(256 << 10).spawn(tasks).ok()?;
    Some(handle)
}
