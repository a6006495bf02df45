//! `fork` of a process whose script runs alone: for the command line.

use std::io;

/// Makes two processes out of this one: the child's id, or 0 in the child, of which only the calling thread is there.
///
/// The child must not touch the event loop of its parent (they would share its descriptors), nor wait for other threads, and ends with
/// `std::process::exit`.
pub fn fork() -> io::Result<i32> {
    // SAFETY: no memory is touched. In the child the other threads are gone; those of this program hold no locks but for moments (the
    // ticker sleeps, the first thread waits for this one), and the C library's allocator keeps itself usable across a fork.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        pid => Ok(pid),
    }
}
