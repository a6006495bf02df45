//! Waiting for descriptors without blocking the executor.
//!
//! Inside an executor (a tokio runtime) the instance is suspended until the descriptor is ready; outside of one (the command
//! line) the thread may block.

use jumbo_abi::{Cx, Res};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::time::{Duration, Instant};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum For {
    Reading,
    Writing,
    /// Out-of-band data.
    Exceptional,
}

impl For {
    fn flags(self) -> PollFlags {
        match self {
            For::Reading => PollFlags::IN | PollFlags::HUP | PollFlags::ERR,
            For::Writing => PollFlags::OUT | PollFlags::HUP | PollFlags::ERR,
            For::Exceptional => PollFlags::PRI,
        }
    }
}

struct Number(RawFd);

impl AsRawFd for Number {
    fn as_raw_fd(&self) -> RawFd {
        self.0
    }
}

/// Is it ready now?
pub fn ready(fd: BorrowedFd<'_>, what: For) -> bool {
    let mut list = [PollFd::from_borrowed_fd(fd, what.flags())];
    poll(&mut list, Some(&Timespec::default())).is_ok_and(|n| n > 0)
}

/// Waits until a descriptor is ready. False: the time is over.
pub fn until_ready(cx: &mut Cx, fd: &impl AsFd, what: For, timeout: Option<Duration>) -> Res<bool> {
    let fd = fd.as_fd();
    if ready(fd, what) {
        return Ok(true);
    }
    cx.about_to_wait();
    let deadline = timeout.and_then(|t| Instant::now().checked_add(t));
    if cx.timer.is_some() && tokio::runtime::Handle::try_current().is_ok() {
        let interest = match what {
            For::Reading => Interest::READABLE,
            For::Writing => Interest::WRITABLE,
            For::Exceptional => Interest::PRIORITY,
        };
        // Some descriptors (regular files) are refused: they are always ready. (The successor of this function is unsafe;
        // here `fd` is borrowed for longer than the registration lives.)
        #[allow(deprecated)]
        let Ok(watched) = AsyncFd::with_interest(Number(fd.as_raw_fd()), interest) else { return Ok(true) };
        let is_ready = async {
            let _ = watched.ready(interest).await.map(|_| ());
        };
        return Ok(match deadline {
            None => {
                cx.wait(is_ready);
                true
            }
            Some(deadline) => cx.wait(tokio::time::timeout_at(deadline.into(), is_ready)).is_ok(),
        });
    }
    // In slices, so that a time limit or a signal is noticed.
    loop {
        let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
        let slice = left.unwrap_or(Duration::from_millis(100)).min(Duration::from_millis(100));
        let spec = Timespec { tv_sec: 0, tv_nsec: i64::from(slice.subsec_nanos()) };
        let mut list = [PollFd::from_borrowed_fd(fd, what.flags())];
        if poll(&mut list, Some(&spec)).is_ok_and(|n| n > 0) {
            return Ok(true);
        }
        cx.check()?;
        if left.is_some_and(|l| l <= slice) {
            return Ok(false);
        }
    }
}

/// Repeats `attempt` with growing pauses until it gives something.
pub fn until_some<T>(cx: &mut Cx, mut attempt: impl FnMut(&mut Cx) -> Res<Option<T>>) -> Res<T> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(value) = attempt(cx)? {
            return Ok(value);
        }
        cx.check()?;
        cx.sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Waits until somebody has opened a FIFO for writing, whose reading end was opened without blocking. Data and a writer that has gone
/// again are events; of one that has not written yet nobody tells, so it is looked for now and then.
pub fn until_written_to(cx: &mut Cx, fifo: &std::fs::File) -> Res<()> {
    use rustix::pipe::{PipeFlags, SpliceFlags, pipe_with, tee};
    // A copy of a byte into another pipe tells whether there are writers, and takes nothing away.
    let Ok((_scratch, into)) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK) else { return Ok(()) };
    let mut pause = Duration::from_micros(200);
    while !until_ready(cx, fifo, For::Reading, Some(pause))? && tee(fifo, &into, 1, SpliceFlags::NONBLOCK) == Ok(0) {
        cx.check()?;
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    Ok(())
}
