//! The cycle collector (skeleton: roots are not buffered yet).

use crate::header::Header;

/// What `gc_status()` reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct GcStatus {
    pub runs: usize,
    pub collected: usize,
    pub threshold: usize,
    pub roots: usize,
}

/// # Safety
/// `this` is alive.
#[cold]
#[inline(never)]
pub(crate) unsafe fn possible_root(_this: *mut Header) {}

/// # Safety
/// `this` is alive and buffered.
pub(crate) unsafe fn forget(_this: *mut Header) {}
