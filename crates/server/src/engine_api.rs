//! What the server needs of an engine. Nothing here names PHP values or opcodes.
//!
//! Threads: a [`Site`] is shared; each executor thread asks it for its own [`Executor`], whose futures never leave
//! that thread. They run on a tokio current-thread runtime, and must give up the thread while they wait.

use std::future::Future;
use std::pin::Pin;

pub use crate::request::ScriptRequest;
pub use crate::response::{ClientGone, ResponseHead, ResponseSink, WriteState};

/// A future that stays on its thread.
pub type LocalFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// One application, as all executor threads see it.
pub trait Site: Send + Sync + 'static {
    /// Makes the part that one executor thread owns; called on that thread, once.
    fn new_executor(&self) -> Box<dyn Executor>;

    /// The process is short of memory: asks the request that holds the most of it to end, and gives the bytes that it holds. `None`: no
    /// request holds much. Called from a thread of its own.
    fn end_largest_request(&self) -> Option<u64> {
        None
    }

    /// Whether the system has refused memory since this was asked last.
    fn was_refused_memory(&self) -> bool {
        false
    }
}

/// Runs scripts on one thread.
pub trait Executor {
    /// Answers one request.
    ///
    /// The first poll may happen at once, inside the connection's task. A sink that is dropped before
    /// [`ResponseSink::finish`] counts as a failure: the client gets a 500, or, when a part of the answer is
    /// already on its way, a connection that ends early. A panic counts the same, and ends this request only.
    /// The future goes on after `finish()` until it is done, also when the client has gone away.
    fn run(&self, request: ScriptRequest, response: ResponseSink) -> LocalFuture<()>;
}
