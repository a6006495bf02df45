//! What requests hold of the process's memory, so that the largest can be ended when there is no more.

use jumbo_abi::Cx;
use jumbo_value::Heap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Requests that hold less are not worth ending.
const LEAST_BYTES: usize = 8 << 20;

/// An instance, as other threads see it.
pub(crate) struct Holder {
    bytes: Arc<AtomicUsize>,
    ended: Arc<AtomicBool>,
    interrupt: Arc<AtomicBool>,
}

static HOLDERS: Mutex<Vec<Weak<Holder>>> = Mutex::new(Vec::new());

/// Enters an instance, which is known until it drops the handle.
pub(crate) fn enter(cx: &Cx, heap: &Heap) -> Arc<Holder> {
    let holder = Arc::new(Holder { bytes: heap.footprint(), ended: cx.ended_for_memory.clone(), interrupt: cx.interrupt.clone() });
    // Nothing panics under the lock.
    let mut holders = HOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if holders.len() == holders.capacity() {
        holders.retain(|holder| holder.strong_count() > 0);
    }
    holders.push(Arc::downgrade(&holder));
    holder
}

/// Asks the request that holds the most memory to end, with a fatal error at its next safepoint, and gives how many bytes it holds. Those that
/// were asked and have not come to a safepoint yet are passed by. `None`: no request holds much.
pub fn end_largest() -> Option<usize> {
    let holders = HOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    let candidates = holders.iter().filter_map(Weak::upgrade).filter(|holder| !holder.ended.load(Ordering::Relaxed));
    let (bytes, largest) = candidates.map(|holder| (holder.bytes.load(Ordering::Relaxed), holder)).max_by_key(|(bytes, _)| *bytes)?;
    if bytes < LEAST_BYTES {
        return None;
    }
    largest.ended.store(true, Ordering::Relaxed);
    largest.interrupt.store(true, Ordering::Relaxed);
    Some(bytes)
}
