//! Stress: what happens now and then is made to happen at every safepoint, so that tests meet it everywhere.
//!
//! Set once for the process, before anything runs (`JUMBO_STRESS`; see CONTRIBUTING.md). An instance under stress keeps its interrupt
//! flag raised, so that each loop back edge, call and [`Cx::check`] is served.

use jumbo_abi::Cx;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// What is done at every safepoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stress {
    /// The instance gives up its turn.
    pub preempt: bool,
    /// Cycles are collected.
    pub collect: bool,
}

static STRESS: OnceLock<Stress> = OnceLock::new();

/// Takes effect for instances that start from now on. Only the first call counts.
pub fn set(stress: Stress) {
    STRESS.get_or_init(|| stress);
}

pub fn get() -> Stress {
    STRESS.get().copied().unwrap_or_default()
}

/// Under stress the next safepoint is to be served too.
pub fn arm(cx: &Cx) {
    if get() != Stress::default() {
        cx.interrupt.store(true, Ordering::Relaxed);
    }
}
