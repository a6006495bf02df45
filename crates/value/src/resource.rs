//! Resources: a number, the name of a type, and native state that can be closed before the last handle goes.
//!
//! Invariant: the native state is dropped by `close` or with the resource, but never while it is borrowed: a borrow is a guard,
//! and closing meanwhile takes effect when the last guard goes.

use crate::header::{Header, NOT_COLLECTABLE, counted_handle};
use crate::object::Native;
use crate::raw::Kind;
use crate::heap;
use std::any::Any;
use std::cell::Cell;
use std::ptr::NonNull;

#[repr(C)]
pub struct ResHeader {
    pub header: Header,
    /// PHP's number (`Resource id #3`).
    pub id: i64,
    /// `get_resource_type`; "Unknown" once closed.
    pub type_name: Cell<&'static str>,
    native: Option<Box<dyn Native>>,
    borrows: Cell<u32>,
    closed: Cell<bool>,
    /// Number in the heap's list of live resources.
    slot: u32,
}

/// A counted handle on a resource.
#[repr(transparent)]
pub struct PResource(NonNull<ResHeader>);

counted_handle!(PResource, ResHeader);

impl PResource {
    /// A new resource with the next number of the heap.
    pub fn new(type_name: &'static str, native: Box<dyn Native>) -> PResource {
        let heap = heap::current();
        // The state lives outside of the request heap: its own size is counted.
        heap.charge(size_of_val(&*native));
        let ptr = heap::alloc(size_of::<ResHeader>()).cast::<ResHeader>();
        // SAFETY: fresh memory of the right size.
        unsafe {
            ptr.write(ResHeader {
                header: Header::new(Kind::Resource, NOT_COLLECTABLE),
                id: heap.next_resource_id(),
                type_name: Cell::new(type_name),
                native: Some(native),
                borrows: Cell::new(0),
                closed: Cell::new(false),
                slot: 0,
            });
            (*ptr.as_ptr()).slot = heap.resources.insert(ptr.as_ptr(), &heap.pages);
        }
        PResource(ptr)
    }
    #[inline(always)]
    fn head(&self) -> &ResHeader {
        // SAFETY: alive while the handle is.
        unsafe { self.0.as_ref() }
    }
    #[inline(always)]
    pub fn id(&self) -> i64 {
        self.head().id
    }
    pub fn type_name(&self) -> &'static str {
        self.head().type_name.get()
    }
    pub fn set_type_name(&self, name: &'static str) {
        self.head().type_name.set(name);
    }
    #[inline(always)]
    pub fn is_closed(&self) -> bool {
        self.head().closed.get()
    }
    /// The native state, if it is a `T` and the resource is open. The guard keeps the resource alive.
    pub fn native<T: Any>(&self) -> Option<NativeRef<T>> {
        if self.is_closed() {
            return None;
        }
        let native = self.head().native.as_deref()?.downcast_ref::<T>()?;
        let native = NonNull::from(native);
        self.head().borrows.set(self.head().borrows.get() + 1);
        Some(NativeRef { resource: self.clone(), native })
    }
    /// Closes the resource: its native state is dropped now, or with the last borrow of it.
    pub fn close(&self) {
        self.head().closed.set(true);
        self.set_type_name("Unknown");
        self.drop_native_if_unused();
    }
    fn drop_native_if_unused(&self) {
        if self.head().borrows.get() == 0 {
            // SAFETY: not borrowed, so nobody sees it go; taken out before it is dropped.
            unsafe { drop_native(self.0.as_ptr()) };
        }
    }
}

/// A borrow of a resource's native state.
pub struct NativeRef<T> {
    resource: PResource,
    native: NonNull<T>,
}

impl<T> std::ops::Deref for NativeRef<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the state is not dropped while the resource counts this borrow.
        unsafe { self.native.as_ref() }
    }
}

impl<T> Drop for NativeRef<T> {
    fn drop(&mut self) {
        let head = self.resource.head();
        head.borrows.set(head.borrows.get() - 1);
        if head.closed.get() {
            self.resource.drop_native_if_unused();
        }
    }
}

impl PartialEq for PResource {
    /// Identity.
    fn eq(&self, other: &PResource) -> bool {
        self.ptr_eq(other)
    }
}
impl Eq for PResource {}

impl std::fmt::Debug for PResource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "resource({}) of type ({})", self.id(), self.type_name())
    }
}

/// Drops the native state at the end of the request, whoever still holds the resource.
///
/// # Safety
/// `this` is alive and its native state is not borrowed.
pub(crate) unsafe fn shut(this: *mut ResHeader) {
    // SAFETY: by contract.
    unsafe {
        (*this).closed.set(true);
        drop_native(this);
    }
}

/// # Safety
/// `this` is alive and its native state is not borrowed.
unsafe fn drop_native(this: *mut ResHeader) {
    // SAFETY: by contract; the state is taken out before it is dropped.
    unsafe {
        if let Some(native) = (*this).native.take() {
            heap::owner(NonNull::new_unchecked(this.cast())).uncharge(size_of_val(&*native));
            drop(native);
        }
    }
}

/// # Safety
/// The last count of the resource is the caller's, who gives it up.
pub(crate) unsafe fn free(this: *mut ResHeader) {
    // SAFETY: nobody holds it, so its state is not borrowed (a borrow holds a count).
    unsafe {
        shut(this);
        heap::owner(NonNull::new_unchecked(this.cast())).resources.remove((*this).slot);
        heap::free(NonNull::new_unchecked(this.cast()), size_of::<ResHeader>());
    }
}
