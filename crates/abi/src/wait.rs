//! Waiting: how a builtin waits for I/O or time without holding a core.

use crate::Cx;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

/// Makes a future that is ready after a time: the executor's timer.
pub type Timer = fn(std::time::Duration) -> Pin<Box<dyn Future<Output = ()>>>;

/// A fork happens outside of the event loop, which the child cannot share: who runs the loop looks here whenever the script waits.
pub mod fork {
    use std::cell::Cell;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum State {
        /// Nobody looks here.
        Unsupported,
        Idle,
        Wanted,
        /// The child's process id, 0 in the child; negative: why there is none.
        Done(i32),
    }

    thread_local! {
        static STATE: Cell<State> = const { Cell::new(State::Unsupported) };
    }

    pub fn state() -> State {
        STATE.get()
    }

    pub fn set(state: State) {
        STATE.set(state);
    }
}

impl Cx {
    /// Makes the process two: the child's id, in the child 0, a negative number of an error. `None` where scripts do not have a
    /// process of their own.
    pub fn fork(&mut self) -> Option<i32> {
        if fork::state() == fork::State::Unsupported {
            return None;
        }
        // What is buffered would be written twice.
        self.about_to_wait();
        fork::set(fork::State::Wanted);
        let answered = std::future::poll_fn(|_| match fork::state() {
            fork::State::Done(pid) => Poll::Ready(pid),
            _ => Poll::Pending,
        });
        let pid = self.wait(answered);
        fork::set(fork::State::Idle);
        Some(pid)
    }

    /// Do other scripts wait while this one holds its thread? Not where a script has a process of its own, which it may fork.
    pub fn shares_its_thread(&self) -> bool {
        self.timer.is_some() && fork::state() == fork::State::Unsupported
    }

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
        if crate::request::on_command_line() {
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
