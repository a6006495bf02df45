//! A running instance as a future: each poll is a turn on the core, until the script waits or its time slice is over.
//!
//! Dropping the future cancels the instance: its stacks are unwound, and the instance is gone. When the future is done it gives the
//! instance back, to be [recycled](Instance::recycle).

use crate::{Instance, Outcome, Script};
use jumbo_interp::coroutine::{InstanceCoroutine, Progress};
use jumbo_interp::limits::Turn;
use std::cell::RefCell;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

/// The waker that builtins see. The task's own may differ from poll to poll.
struct CurrentWaker(Mutex<Waker>);

impl CurrentWaker {
    fn set(&self, waker: &Waker) {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !current.will_wake(waker) {
            *current = waker.clone();
        }
    }
}

impl Wake for CurrentWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }
    fn wake_by_ref(self: &Arc<Self>) {
        let waker = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        waker.wake();
    }
}

type Finished = Rc<RefCell<Option<(Box<Instance>, Outcome)>>>;

/// An instance that runs a script. It stays on its thread.
pub struct Running {
    coroutine: InstanceCoroutine,
    waker: Arc<CurrentWaker>,
    interrupt: Option<Arc<AtomicBool>>,
    finished: Finished,
}

impl Instance {
    /// Makes the instance run `script` when the future is polled, on a coroutine of its own. `slices`: it gives up
    /// the core after each time slice, for other instances of this thread.
    pub fn start(mut self: Box<Self>, script: Script, slices: bool) -> io::Result<Running> {
        let waker = Arc::new(CurrentWaker(Mutex::new(Waker::noop().clone())));
        self.cx.waker = waker.clone().into();
        let interrupt = self.cx.interrupt.clone();
        let finished = Finished::default();
        let result = finished.clone();
        let coroutine = InstanceCoroutine::new(move || {
            let outcome = self.run(&script);
            *result.borrow_mut() = Some((self, outcome));
        })?;
        Ok(Running { coroutine, waker, interrupt: slices.then_some(interrupt), finished })
    }
}

impl Future for Running {
    type Output = (Box<Instance>, Outcome);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.waker.set(cx.waker());
        let progress = {
            let _turn = self.interrupt.as_ref().map(Turn::begin);
            self.coroutine.resume()
        };
        if progress == Progress::Waiting {
            return Poll::Pending;
        }
        let finished = self.finished.borrow_mut().take();
        match finished {
            Some(done) => Poll::Ready(done),
            // Polled again after its end: nothing will ever come.
            None => Poll::Pending,
        }
    }
}
