//! Objects: a header, the declared properties in slots behind it, dynamic ones in a table that exists only when used, and the
//! native state of a builtin class.
//!
//! Invariants: the class pointer outlives the object; `slot_count` slots follow the header; an object whose last count goes
//! and whose class has a destructor is given one more count and queued in its heap (see [`Heap::pop_dying`](crate::Heap)).
//! Hazards: objects are shared, so nothing here hands out `&mut` into one; native state must use cells inside.

use crate::barrier::write_barrier;
use crate::header::{DESTRUCTED, GC_SLOT_MASK, Header, NOT_COLLECTABLE, WEAKLY_REFERENCED, counted_handle};
use crate::heap::{self, Heap};
use crate::raw::{Kind, Raw};
use crate::{ArrayHeader, PArray, Value};
use std::any::Any;
use std::cell::Cell;
use std::ptr::NonNull;

/// What this crate knows of a class; the first field of the engine's own structure.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ClassHead {
    pub id: u32,
    /// Declared properties of an instance.
    pub slot_count: u32,
    /// [`ClassHead::HAS_DESTRUCTOR`], …
    pub flags: u32,
}

impl ClassHead {
    /// `__destruct` must run before an instance goes.
    pub const HAS_DESTRUCTOR: u32 = 1;
    /// Instances never hold anything that could refer back to them (closed value classes): the collector skips them.
    pub const ACYCLIC: u32 = 2;
}

/// The state of a builtin class's instance. Values inside must be reported to the collector.
pub trait Native: Any {
    /// Calls `visit` with every PHP value held (once for each count held).
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        let _ = visit;
    }
    /// A map with weak keys: a number that tells it from all others. Its values are not a part of `trace`: each is held by the map and its
    /// key together, and lives only as long as both do.
    fn weak_map(&self) -> Option<usize> {
        None
    }
    /// Calls `visit` with every key (an object's number) and value of such a map.
    fn trace_weak(&self, visit: &mut dyn FnMut(u32, &Value)) {
        let _ = visit;
    }
    /// The state of a clone; `None` when the object cannot be cloned.
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        None
    }
    /// Drops every value that `trace` reports: the object is part of a garbage cycle.
    fn clear(&mut self) {}
}

impl dyn Native {
    pub fn downcast_ref<T: Any>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
    pub fn downcast_mut<T: Any>(&mut self) -> Option<&mut T> {
        (self as &mut dyn Any).downcast_mut()
    }
}

#[repr(C)]
pub struct ObjHeader {
    pub header: Header,
    pub class_id: u32,
    /// PHP's object handle (`#1` in var_dump, spl_object_id).
    pub id: u32,
    pub class: *const ClassHead,
    /// Dynamic properties; null until used. Copy on write.
    pub dynamic: *mut ArrayHeader,
    pub native: Option<Box<dyn Native>>,
    pub slot_count: u32,
    /// The engine's own marks (recursion guards of magic methods, lazy, …).
    pub flags: Cell<u32>,
}

/// Where the slots start.
pub const OBJ_SLOTS: usize = size_of::<ObjHeader>();
const _: () = assert!(OBJ_SLOTS == 56);

/// A counted handle on an object.
#[repr(transparent)]
pub struct PObject(NonNull<ObjHeader>);

counted_handle!(PObject, ObjHeader);

impl PObject {
    /// A new object, all slots undefined.
    ///
    /// # Safety
    /// `class` outlives the object.
    pub unsafe fn alloc(class: *const ClassHead) -> PObject {
        // SAFETY: by contract.
        unsafe { Self::alloc_filled(class, |_| Raw::UNDEF) }
    }

    /// A new object whose slots hold `defaults`, one for each.
    ///
    /// # Safety
    /// As [`alloc`](PObject::alloc); the values are not counted.
    pub unsafe fn alloc_with(class: *const ClassHead, defaults: &[Raw]) -> PObject {
        // SAFETY: by contract.
        unsafe { Self::alloc_filled(class, |n| defaults.get(n).copied().unwrap_or(Raw::UNDEF)) }
    }

    /// # Safety
    /// As [`alloc`](PObject::alloc).
    #[inline(always)]
    unsafe fn alloc_filled(class: *const ClassHead, slot: impl Fn(usize) -> Raw) -> PObject {
        // SAFETY: by contract.
        let head = unsafe { &*class };
        let size = block_size(head.slot_count);
        let ptr = heap::alloc(size).cast::<ObjHeader>();
        let acyclic = if head.flags & ClassHead::ACYCLIC != 0 { NOT_COLLECTABLE } else { 0 };
        // Without a destructor there is none to be called: freeing then need not look at the class.
        let destructed = if head.flags & ClassHead::HAS_DESTRUCTOR != 0 { 0 } else { DESTRUCTED };
        // SAFETY: fresh memory for the header and all slots.
        unsafe {
            ptr.write(ObjHeader {
                header: Header::new(Kind::Object, acyclic | destructed),
                class_id: head.id,
                id: 0,
                class,
                dynamic: std::ptr::null_mut(),
                native: None,
                slot_count: head.slot_count,
                flags: Cell::new(0),
            });
            let slots = slots_of(ptr.as_ptr());
            for i in 0..head.slot_count as usize {
                slots.add(i).write(slot(i));
            }
            let heap = heap::current();
            (*ptr.as_ptr()).id = heap.objects.insert(ptr.as_ptr(), &heap.pages);
        }
        PObject(ptr)
    }

    #[inline(always)]
    fn head(&self) -> &ObjHeader {
        // SAFETY: alive while the handle is.
        unsafe { self.0.as_ref() }
    }
    #[inline(always)]
    pub fn id(&self) -> u32 {
        self.head().id
    }
    #[inline(always)]
    pub fn class(&self) -> *const ClassHead {
        self.head().class
    }
    #[inline(always)]
    pub fn class_id(&self) -> u32 {
        self.head().class_id
    }
    #[inline(always)]
    pub fn slot_count(&self) -> u32 {
        self.head().slot_count
    }
    /// The engine's own marks.
    #[inline(always)]
    pub fn flags(&self) -> u32 {
        self.head().flags.get()
    }
    #[inline(always)]
    pub fn set_flags(&self, flags: u32) {
        self.head().flags.set(flags);
    }
    /// The slots, for code that counts by itself; writers go through the write barrier.
    #[inline(always)]
    pub fn slots_raw(&self) -> *mut Raw {
        slots_of(self.0.as_ptr())
    }
    /// A copy of a slot (references are kept); undefined when there is no such slot.
    #[inline]
    pub fn slot(&self, index: u32) -> Value {
        if index >= self.slot_count() {
            return Value::UNDEF;
        }
        // SAFETY: the index is in range; the slot holds a living value.
        unsafe { Value::from_raw((*self.slots_raw().add(index as usize)).copied()) }
    }
    /// Replaces a slot, a reference in it included; returns what was there.
    #[inline]
    pub fn replace_slot(&self, index: u32, value: Value) -> Value {
        assert!(index < self.slot_count(), "slot {index} of {}", self.slot_count());
        write_barrier(self.header());
        // SAFETY: the index is in range; the counts move in and out.
        unsafe {
            let slot = self.slots_raw().add(index as usize);
            let old = *slot;
            *slot = value.into_raw();
            Value::from_raw(old)
        }
    }
    /// Replaces a slot, a reference in it included.
    #[inline]
    pub fn set_slot(&self, index: u32, value: Value) {
        drop(self.replace_slot(index, value));
    }
    /// Assigns to a slot as PHP does: into the reference if it holds one.
    #[inline]
    pub fn assign_slot(&self, index: u32, value: Value) {
        let current = self.slot(index);
        match current.as_ref() {
            Some(reference) => reference.set(value),
            None => self.set_slot(index, value),
        }
    }

    /// The dynamic properties, if there are any: a handle that shares the table (copy on write).
    pub fn dynamic(&self) -> Option<PArray> {
        let table = self.head().dynamic;
        if table.is_null() {
            return None;
        }
        // SAFETY: the object owns one count of its table.
        unsafe { Some(PArray::share(table)) }
    }
    #[inline(always)]
    pub fn has_dynamic(&self) -> bool {
        !self.head().dynamic.is_null()
    }
    /// Replaces the dynamic properties; returns the old ones.
    pub fn set_dynamic(&self, table: Option<PArray>) -> Option<PArray> {
        write_barrier(self.header());
        let new = table.map_or(std::ptr::null_mut(), PArray::into_ptr);
        // SAFETY: the counts move in and out.
        unsafe {
            let slot = &raw mut (*self.0.as_ptr()).dynamic;
            let old = *slot;
            *slot = new;
            (!old.is_null()).then(|| PArray::from_ptr(old))
        }
    }
    /// Changes the dynamic properties in place: taken out, given to `f`, put back. `f` must not touch this object's.
    pub fn update_dynamic<R>(&self, f: impl FnOnce(&mut PArray) -> R) -> R {
        let mut table = self.set_dynamic(None).unwrap_or_default();
        let result = f(&mut table);
        let other = self.set_dynamic(Some(table));
        debug_assert!(other.is_none(), "dynamic properties written while being updated");
        result
    }

    /// The native state, if it is a `T`.
    #[inline]
    pub fn native<T: Any>(&self) -> Option<&T> {
        self.head().native.as_deref()?.downcast_ref()
    }
    #[inline]
    pub fn native_any(&self) -> Option<&dyn Native> {
        self.head().native.as_deref()
    }
    /// Attaches the native state. An object keeps its first one for life (borrows of it may exist): a second one comes back.
    pub fn set_native(&self, native: Box<dyn Native>) -> Result<(), Box<dyn Native>> {
        if self.head().native.is_some() {
            return Err(native);
        }
        let native = charged(native);
        // SAFETY: there is no state yet, so nobody can have borrowed it.
        unsafe { (*self.0.as_ptr()).native = Some(native) };
        Ok(())
    }

    /// A shallow clone: slots and dynamic properties copied (references with a single holder unwrapped), native state cloned.
    /// `None`: the native state cannot be cloned. `__clone` is the engine's to call.
    pub fn clone_shallow(&self) -> Option<PObject> {
        let native = match self.native_any() {
            Some(native) => Some(charged(native.clone_native()?)),
            None => None,
        };
        // SAFETY: the class outlives this object, and so the clone, by the contract of `alloc`.
        let new = unsafe { PObject::alloc(self.class()) };
        // SAFETY: same class, same number of slots; each copy takes its own count.
        unsafe {
            let (from, to) = (self.slots_raw(), new.slots_raw());
            for i in 0..self.slot_count() as usize {
                let mut value = *from.add(i);
                if value.is_ref() && value.header().is_unique() {
                    value = value.deref();
                }
                to.add(i).write(value.copied());
            }
            (*new.0.as_ptr()).native = native;
        }
        new.set_dynamic(self.dynamic());
        Some(new)
    }

    /// No destructor is to be called: there is none, it has been called, or must not be called any more.
    #[inline]
    pub fn is_destructed(&self) -> bool {
        self.header().has(DESTRUCTED)
    }
    #[inline]
    pub fn mark_destructed(&self) {
        self.header().set(DESTRUCTED);
    }
    /// The heap's hook is called when this object is freed.
    pub fn mark_weakly_referenced(&self) {
        self.header().set(WEAKLY_REFERENCED);
    }
    pub fn unmark_weakly_referenced(&self) {
        self.header().unset(WEAKLY_REFERENCED);
    }
}

impl PartialEq for PObject {
    /// Identity.
    fn eq(&self, other: &PObject) -> bool {
        self.ptr_eq(other)
    }
}
impl Eq for PObject {}

impl std::fmt::Debug for PObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "object(class {})#{}", self.class_id(), self.id())
    }
}

/// Native state lives outside of the request heap: its own size (not what it holds) is counted against memory_limit.
fn charged(native: Box<dyn Native>) -> Box<dyn Native> {
    Heap::charge_current(size_of_val(&*native));
    native
}

#[inline(always)]
pub(crate) fn slots_of(this: *mut ObjHeader) -> *mut Raw {
    this.wrapping_byte_add(OBJ_SLOTS).cast()
}

#[inline(always)]
fn block_size(slot_count: u32) -> usize {
    OBJ_SLOTS + slot_count as usize * size_of::<Raw>()
}

/// Releases everything that the object holds, leaving it valid and empty.
///
/// # Safety
/// `this` is alive, and nobody has borrowed its native state.
pub(crate) unsafe fn clear(this: *mut ObjHeader) {
    // SAFETY: each slot is emptied before its value is released.
    unsafe {
        if let Some(native) = (*this).native.as_mut() {
            native.clear();
        }
        let slots = slots_of(this);
        for i in 0..(*this).slot_count as usize {
            Raw::replace_slot(slots.add(i), Raw::UNDEF);
        }
        let table = std::mem::replace(&mut (*this).dynamic, std::ptr::null_mut());
        if !table.is_null() {
            drop(PArray::from_ptr(table));
        }
    }
}

/// Queues the object for its destructor, or frees it.
///
/// # Safety
/// The last count of the object is the caller's, who gives it up.
#[inline]
pub(crate) unsafe fn free(this: *mut ObjHeader) {
    // SAFETY: alive, by contract, in a heap.
    let (head, heap): (&ObjHeader, &Heap) = unsafe { (&*this, heap::owner(NonNull::new_unchecked(this.cast()))) };
    let info = head.header.info.get();
    if info & (DESTRUCTED | GC_SLOT_MASK | WEAKLY_REFERENCED) != DESTRUCTED {
        if info & DESTRUCTED == 0 {
            // The count that was given up becomes the queue's.
            head.header.set(DESTRUCTED);
            heap.queue_dying(this);
            return;
        }
        // SAFETY: alive.
        unsafe { before_free(heap, this) };
    }
    // SAFETY: nobody holds the object, so nobody has borrowed from it. What its content releases cannot reach it.
    unsafe {
        if let Some(native) = (*this).native.take() {
            heap.uncharge(size_of_val(&*native));
            drop(native);
        }
        let slots = slots_of(this);
        let slot_count = (*this).slot_count;
        for i in 0..slot_count as usize {
            (*slots.add(i)).release();
        }
        let table = (*this).dynamic;
        if !table.is_null() {
            drop(PArray::from_ptr(table));
        }
        heap.give_back((*this).id);
        heap::free(NonNull::new_unchecked(this.cast()), block_size(slot_count));
    }
}

/// Leaves the root buffer and tells weak references.
///
/// # Safety
/// `this` is alive, in `heap`, and about to be freed.
#[cold]
#[inline(never)]
unsafe fn before_free(heap: &Heap, this: *mut ObjHeader) {
    // SAFETY: alive, by contract.
    unsafe {
        if (*this).header.has(GC_SLOT_MASK) {
            crate::gc::forget(this.cast());
        }
        // Native state that is dropped next may not bring it back into the root buffer.
        (*this).header.set(NOT_COLLECTABLE);
        if (*this).header.has(WEAKLY_REFERENCED) {
            heap.call_weak_hook((*this).id);
        }
    }
}

/// An object's number that no object has, as long as this lives: in PHP an iteration takes one, which programs see in the numbers of the
/// objects that are made meanwhile.
#[derive(Debug)]
pub struct ReservedId {
    number: u32,
    /// It is free behind the objects that are to die before it only.
    waits: bool,
}

impl ReservedId {
    pub fn new() -> ReservedId {
        let heap = heap::current();
        ReservedId { number: heap.objects.reserve(&heap.pages), waits: true }
    }

    /// The number that a freed object has left.
    pub(crate) fn of_freed(number: u32) -> ReservedId {
        ReservedId { number, waits: false }
    }
}

impl Default for ReservedId {
    fn default() -> ReservedId {
        ReservedId::new()
    }
}

impl Drop for ReservedId {
    fn drop(&mut self) {
        let heap = heap::current();
        if self.waits {
            heap.give_back(self.number);
        } else {
            heap.objects.remove(self.number);
        }
    }
}
