//! Work that may block a thread for as long as it likes: questions to file systems whose server is elsewhere.
//!
//! It is done by threads of its own while the script waits like for anything else, so that others of its executor go on and the
//! script can be ended. A thread that hangs cannot be: it is left alone, what it brings in the end is thrown away, and another one is
//! started in its place, up to [`THREADS_MAX`]. One file system has at most [`THREADS_OF_ONE_MAX`], which leaves some for the others;
//! what finds no thread waits. (The pool for computations is another one: what hangs here must not hold those up.)

use crate::mounts::{self, Mount};
use crate::{Cx, threads};
use std::collections::HashMap;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

pub const THREADS_MAX: usize = 64;
pub const THREADS_OF_ONE_MAX: usize = 32;
const STACK_BYTES: usize = 256 << 10;

fn threads() -> Option<&'static Handle> {
    static THREADS: OnceLock<Option<Handle>> = OnceLock::new();
    THREADS.get_or_init(|| threads::start("blocking", THREADS_MAX, STACK_BYTES, || ())).as_ref()
}

/// The threads that a file system may have. There are as many of these as there were mounts at a time: the system uses the numbers of
/// devices again.
fn turns_of(mount: Mount) -> Arc<Semaphore> {
    static TURNS: Mutex<Option<HashMap<Mount, Arc<Semaphore>>>> = Mutex::new(None);
    let mut turns = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    let of_mount = turns.get_or_insert_default().entry(mount);
    of_mount.or_insert_with(|| Arc::new(Semaphore::new(THREADS_OF_ONE_MAX))).clone()
}

/// Begins the work when it is the file system's turn; the turn is over when the work is done, whoever still waits for it.
async fn begin<T: Send + 'static>(threads: Handle, mount: Mount, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    let turn = turns_of(mount).acquire_owned().await;
    threads.spawn_blocking(move || {
        let _turn = turn;
        work()
    })
}

/// Work whose script has ended is not begun any more.
struct Withdrawn<T>(JoinHandle<T>);

impl<T> Drop for Withdrawn<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Does the work, on another thread if it is about a file system that may not answer. When the instance is cancelled meanwhile, this
/// call does not return: it unwinds.
pub fn on<T: Send + 'static>(cx: &mut Cx, mount: Option<Mount>, work: impl FnOnce() -> T + Send + 'static) -> T {
    let Some((mount, threads)) = mount.zip(threads()) else { return work() };
    let done = cx.wait(async {
        let mut begun = Withdrawn(begin(threads.clone(), mount, work).await);
        (&mut begun.0).await
    });
    match done {
        Ok(output) => output,
        Err(error) => resume_unwind(error.into_panic()),
    }
}

/// The work of [`elsewhere`] has not begun in time: the file system has all the threads that it may have, which means that it does not
/// answer, or very slowly.
#[derive(Debug, PartialEq, Eq)]
pub struct NoThread;

/// Does the work for who is no instance, on another thread in any case. What has not begun within `begins_within` does not begin any
/// more, nor does it when this future is dropped. Needs a runtime with time.
pub async fn elsewhere<T: Send + 'static>(
    mount: Mount,
    begins_within: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, NoThread> {
    let threads = threads().ok_or(NoThread)?;
    let end = Instant::now() + begins_within;
    let (begins, begun) = oneshot::channel();
    let told = move || {
        // Who has asked may be gone.
        let _ = begins.send(());
        work()
    };
    let begun_or_queued = timeout_at(end, begin(threads.clone(), mount, told)).await.map_err(|_| NoThread)?;
    let mut doing = Withdrawn(begun_or_queued);
    // An error of the channel is a panic of the work, which comes below.
    let _ = timeout_at(end, begun).await.map_err(|_| NoThread)?;
    match (&mut doing.0).await {
        Ok(output) => Ok(output),
        Err(error) => resume_unwind(error.into_panic()),
    }
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
    if cx.shares_its_thread() { mounts::remote(path) } else { None }
}

/// Does the work as [`on`] would, for nobody: the end of what a request has left behind.
pub fn detached(mount: Option<Mount>, work: impl FnOnce() + Send + 'static) {
    match mount.zip(threads()) {
        None => work(),
        Some((mount, threads)) => {
            threads.spawn(begin(threads.clone(), mount, work));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn what_finds_no_thread_does_not_begin() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let mount = mounts::Mount::of_number(u64::MAX);
        let (go_on, hung) = mpsc::channel::<()>();
        let hung = Arc::new(Mutex::new(hung));
        runtime.block_on(async {
            for _ in 0..THREADS_OF_ONE_MAX {
                let hung = hung.clone();
                detached(Some(mount), move || drop(hung.lock().map(|hung| hung.recv())));
            }
            let refused = loop {
                // The last of them may not have taken its turn yet.
                match elsewhere(mount, Duration::from_millis(50), || ()).await {
                    Ok(()) => tokio::time::sleep(Duration::from_millis(1)).await,
                    refused => break refused,
                }
            };
            assert_eq!(refused, Err(NoThread));
            let other = mounts::Mount::of_number(u64::MAX - 1);
            assert_eq!(elsewhere(other, Duration::from_secs(60), || 7).await, Ok(7));
            drop(go_on);
            assert_eq!(elsewhere(mount, Duration::from_secs(60), || 8).await, Ok(8));
        });
    }
}
