//! PHP references: a counted cell that several variables, elements or properties share.
//!
//! Invariant: the content is never undefined and never itself a reference.

use crate::barrier::write_barrier;
use crate::header::{Header, counted_handle};
use crate::raw::{Kind, Raw};
use crate::{Value, heap};
use std::ptr::NonNull;

#[repr(C)]
pub struct RefHeader {
    pub header: Header,
    pub value: Raw,
    /// The typed properties that this reference is bound to, opaque here; null if none.
    pub type_source: *const (),
}

/// A counted handle on a reference.
#[repr(transparent)]
pub struct PRef(NonNull<RefHeader>);

counted_handle!(PRef, RefHeader);

impl PRef {
    /// A reference to a new cell. The content is `value`; a reference is followed first.
    pub fn new(value: Value) -> PRef {
        let value = normal(value);
        let ptr = heap::alloc(size_of::<RefHeader>()).cast::<RefHeader>();
        // SAFETY: fresh memory of the right size.
        unsafe {
            ptr.write(RefHeader { header: Header::new(Kind::Ref, 0), value: value.into_raw(), type_source: std::ptr::null() });
        }
        PRef(ptr)
    }
    /// A copy of the content.
    #[inline]
    pub fn get(&self) -> Value {
        // SAFETY: the content is alive while the reference is.
        unsafe { Value::from_raw(self.0.as_ref().value.copied()) }
    }
    /// Replaces the content. Types of bound properties are the engine's to check before.
    #[inline]
    pub fn set(&self, value: Value) {
        drop(self.replace(value));
    }
    /// Replaces the content and returns the old one.
    #[inline]
    pub fn replace(&self, value: Value) -> Value {
        let value = normal(value);
        write_barrier(self.header());
        // SAFETY: the slot is owned by the reference; the old count moves out, the new one in.
        unsafe {
            let slot = &raw mut (*self.0.as_ptr()).value;
            let old = *slot;
            *slot = value.into_raw();
            Value::from_raw(old)
        }
    }
    /// Takes the content out; null stays.
    #[inline]
    pub fn take(&self) -> Value {
        self.replace(Value::NULL)
    }
    /// Looks at the content. A count is held meanwhile, so that assignments inside of `f` are harmless.
    #[inline]
    pub fn with<R>(&self, f: impl FnOnce(&Value) -> R) -> R {
        f(&self.get())
    }
    /// Changes the content in place: taken out (null meanwhile), given to `f`, put back.
    pub fn update<R>(&self, f: impl FnOnce(&mut Value) -> R) -> R {
        let mut value = self.take();
        let result = f(&mut value);
        self.set(value);
        result
    }
    #[inline]
    pub fn type_source(&self) -> *const () {
        // SAFETY: alive.
        unsafe { self.0.as_ref().type_source }
    }
    #[inline]
    pub fn set_type_source(&self, source: *const ()) {
        write_barrier(self.header());
        // SAFETY: alive, a plain store.
        unsafe { (*self.0.as_ptr()).type_source = source };
    }
}

#[inline(always)]
fn normal(value: Value) -> Value {
    let value = value.into_deref();
    if value.is_undef() { Value::NULL } else { value }
}

impl std::fmt::Debug for PRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "&{:?}", self.get())
    }
}

/// # Safety
/// The last count of the reference is the caller's, who gives it up.
pub(crate) unsafe fn free(this: *mut RefHeader) {
    // SAFETY: by contract nobody else can reach it; its content is released after its memory is gone from our view.
    unsafe {
        let value = (*this).value;
        heap::free(NonNull::new_unchecked(this.cast()), size_of::<RefHeader>());
        value.release();
    }
}
