//! Waiting: how a builtin waits for I/O or time without holding a core.

use crate::Cx;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

/// Makes a future that is ready after a time: the executor's timer.
pub type Timer = fn(std::time::Duration) -> Pin<Box<dyn Future<Output = ()>>>;

impl Cx {
    /// Waits for a future of the tokio ecosystem. While it is pending the whole instance is suspended (its fibers included) and the
    /// executor runs others. Code that is blocking in PHP becomes asynchronous this way. When the instance is cancelled meanwhile,
    /// this call does not return: it unwinds.
    pub fn wait<F: Future>(&mut self, future: F) -> F::Output {
        let mut future = pin!(future);
        loop {
            let waker = self.waker.clone();
            if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                return output;
            }
            self.engine().suspend(self);
        }
    }

    /// To be called before waiting for something else than the client: on the command line, what was printed leaves first, since
    /// whoever reads it may be the one who is waited for.
    pub fn about_to_wait(&mut self) {
        if crate::request::SAPI.get().is_none_or(|s| *s == "cli") {
            self.flush_sink();
        }
    }

    /// Sleeps: the instance waits, the executor does not. Outside of an executor (no timer there) the thread sleeps.
    pub fn sleep(&mut self, duration: std::time::Duration) {
        self.about_to_wait();
        match self.timer {
            Some(timer) => self.wait(timer(duration)),
            None => std::thread::sleep(duration),
        }
    }

    /// To be called now and then by builtins of unbounded work: gives up the core after a time slice and notices
    /// max_execution_time, cancellation and shutdown.
    #[inline]
    pub fn check(&mut self) -> crate::Res<()> {
        if self.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            return self.engine().interrupted(self);
        }
        Ok(())
    }
}
