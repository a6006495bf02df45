//! The global allocator with a reserve: where the system refuses memory, the reserve is given up and the allocation tried again, so that
//! the process lives on until somebody has ended the largest request ([`is_short`]). Memory of requests proper does not come from here.

use std::alloc::{GlobalAlloc, Layout};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// Address space that is kept for the moment when there is no more: enough for the allocator to ask for an aligned segment. Its pages are
/// never touched, so it takes no memory.
const RESERVE: usize = 128 << 20;

static HELD: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static SHORT: AtomicBool = AtomicBool::new(false);

/// An allocator behind which the reserve stands.
pub struct WithReserve<A>(pub A);

// SAFETY: every block comes from and goes to the inner allocator, which keeps the contract.
unsafe impl<A: GlobalAlloc> GlobalAlloc for WithReserve<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: forwarded.
        let block = unsafe { self.0.alloc(layout) };
        if !block.is_null() || !give_up_reserve() {
            return block;
        }
        // SAFETY: forwarded.
        unsafe { self.0.alloc(layout) }
    }
    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: forwarded.
        unsafe { self.0.dealloc(block, layout) }
    }
    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: forwarded.
        let block = unsafe { self.0.alloc_zeroed(layout) };
        if !block.is_null() || !give_up_reserve() {
            return block;
        }
        // SAFETY: forwarded.
        unsafe { self.0.alloc_zeroed(layout) }
    }
    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: forwarded.
        let moved = unsafe { self.0.realloc(block, layout, size) };
        if !moved.is_null() || !give_up_reserve() {
            return moved;
        }
        // SAFETY: forwarded; a refused one has left the block as it was.
        unsafe { self.0.realloc(block, layout, size) }
    }
}

/// Gives the reserve back to the system; false: it is given up already. Called inside the allocator, so it allocates nothing.
#[cold]
fn give_up_reserve() -> bool {
    SHORT.store(true, Ordering::Release);
    let Some(reserve) = NonNull::new(HELD.swap(std::ptr::null_mut(), Ordering::AcqRel)) else { return false };
    // SAFETY: mapped by `keep_reserve`, taken out of its place by nobody else.
    unsafe { crate::sys::unmap_reserve(reserve, RESERVE) };
    true
}

/// Takes the reserve from the system, if it is not there. False: there is no memory for it.
pub fn keep_reserve() -> bool {
    if !HELD.load(Ordering::Acquire).is_null() {
        return true;
    }
    let Some(reserve) = crate::sys::map_reserve(RESERVE) else { return false };
    if HELD.compare_exchange(std::ptr::null_mut(), reserve.as_ptr(), Ordering::AcqRel, Ordering::Acquire).is_err() {
        // SAFETY: just mapped, and known to nobody.
        unsafe { crate::sys::unmap_reserve(reserve, RESERVE) };
    }
    true
}

/// Has the system refused memory since this was asked last?
pub fn is_short() -> bool {
    SHORT.swap(false, Ordering::AcqRel)
}
