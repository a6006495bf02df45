//! Who waits for a lock of a database on this thread, first come first served.
//!
//! SQLite says only that a lock is taken, and leaves asking again to whoever waits. Here a connection that has let go of its locks calls the one
//! that has waited longest, so that a lock is handed on at once; locks of other threads and processes are asked for again after a while.

use jumbo_abi::Cx;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};
use std::time::Duration;

thread_local! {
    static WAITING: RefCell<VecDeque<Rc<Waiting>>> = const { RefCell::new(VecDeque::new()) };
}

#[derive(Default)]
struct Waiting {
    called: Cell<bool>,
    waker: RefCell<Option<Waker>>,
}

/// A place in the queue, left however waiting ends.
struct Place(Rc<Waiting>);

impl Place {
    fn take() -> Place {
        let waiting = Rc::new(Waiting::default());
        WAITING.with(|w| w.borrow_mut().push_back(waiting.clone()));
        Place(waiting)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        WAITING.with(|w| w.borrow_mut().retain(|other| !Rc::ptr_eq(other, &self.0)));
    }
}

/// Waits until a connection of this thread has let go of its locks, but not longer than `most`.
pub fn wait(cx: &mut Cx, most: Duration) {
    cx.about_to_wait();
    let Some(timer) = cx.timer else { return std::thread::sleep(most) };
    let place = Place::take();
    let mut timer = timer(most);
    cx.wait(poll_fn(|task| {
        if place.0.called.get() || timer.as_mut().poll(task).is_ready() {
            return Poll::Ready(());
        }
        *place.0.waker.borrow_mut() = Some(task.waker().clone());
        Poll::Pending
    }));
}

/// Does anybody wait?
pub fn is_empty() -> bool {
    WAITING.with(|w| w.borrow().is_empty())
}

/// Calls the one that has waited longest.
pub fn call_next() {
    let next = WAITING.with(|w| w.borrow_mut().pop_front());
    if let Some(next) = next {
        next.called.set(true);
        let waker = next.waker.take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
