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
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

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
