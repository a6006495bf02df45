//! The one place that every write in place goes through: objects, references, statics and symbol tables.
//!
//! Today it only asserts that nothing frozen is written. The undo log of the application mode (first write to a frozen thing
//! saves what was there) belongs here.

use crate::header::{FROZEN, Header};

/// To be called before the content of a thing is changed in place.
#[inline(always)]
pub fn write_barrier(header: &Header) {
    debug_assert!(!header.has(FROZEN), "write to a frozen value");
}
