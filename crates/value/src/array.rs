//! Arrays (placeholder of the handle: the ordered map is being written).

use crate::header::{Header, counted_handle};
use crate::raw::{Kind, Raw};
use crate::{PStr, Value};
use std::ptr::NonNull;

#[repr(C)]
pub struct ArrayHeader {
    pub header: Header,
}

/// A counted handle on an array.
#[repr(transparent)]
pub struct PArray(NonNull<ArrayHeader>);

counted_handle!(PArray, ArrayHeader);

/// An owned array key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Int(i64),
    Str(PStr),
}

/// A borrowed array key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRef<'a> {
    Int(i64),
    Str(&'a PStr),
}

struct Empty(ArrayHeader);
// SAFETY: immortal, never written.
unsafe impl Sync for Empty {}
static EMPTY: Empty = Empty(ArrayHeader { header: Header::immortal(Kind::Array, 0) });

impl PArray {
    pub fn new() -> PArray {
        PArray(NonNull::from(&EMPTY.0))
    }
    pub fn len(&self) -> usize {
        0
    }
}
impl Default for PArray {
    fn default() -> PArray {
        PArray::new()
    }
}
impl std::fmt::Debug for PArray {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "array({})", self.len())
    }
}

/// # Safety
/// The last count of the array is the caller's, who gives it up.
pub(crate) unsafe fn free(_this: *mut ArrayHeader) {}

/// Calls `visit` with every element.
///
/// # Safety
/// `this` is alive and not changed by `visit`.
pub(crate) unsafe fn trace(_this: *mut ArrayHeader, _visit: &mut dyn FnMut(Raw)) {}

#[allow(dead_code)]
fn _unused(_: Value) {}
