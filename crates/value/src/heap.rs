//! The request heap of one instance: memory, the stores of live objects and resources, the queue of dying objects.
//!
//! One heap is current on a thread while its instance runs, so allocation needs no parameter; a thread without one gets a heap
//! of its own with the first allocation (tests, tools). Invariant: things stay on the thread of their heap and are not used after
//! the heap was reset or dropped; freeing finds the owner by address, whichever heap is current.

use crate::header::Header;
use crate::object::{ObjHeader, PObject, ReservedId};
use crate::gc::Collector;
use crate::header::{CLASS_LARGE, DESTRUCTED, NOT_COLLECTABLE};
use crate::pages::{CLASS_SIZES, Pages};
pub(crate) use crate::pages::owner_of as owner;
use crate::resource::{PResource, ResHeader};
use crate::store::Store;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub use crate::pages::size_class;

/// Bits of [`Heap::pending`]: what the engine has to do at its next safe point.
pub mod pending {
    /// Objects wait for their destructors.
    pub const DYING: u32 = 1;
    /// The root buffer is full: run the cycle collector.
    pub const GC: u32 = 2;
}

/// A function and what it is called with ([`Heap::set_limit_hook`]).
pub type LimitHook = (unsafe fn(*mut ()), *mut ());

/// What an allocation that was refused is about: the payload of `resume_unwind` where the allocation cannot fail, and what
/// [`Heap::take_refusal`] gives for the report.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    pub limit: usize,
    pub tried: usize,
    /// `memory_limit` would have allowed it: the system has no more.
    pub by_system: bool,
}

/// Memory was refused to something that grows with its input: `memory_limit` would be exceeded, or the system has no more. The heap
/// remembers which ([`Heap::take_refusal`]), and whoever ends the request reports it.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory(());

impl OutOfMemory {
    pub(crate) fn new() -> OutOfMemory {
        OutOfMemory(())
    }
    /// For what cannot fail: the request ends by unwinding.
    pub fn unwind(self) -> ! {
        current().pages.unwind(self)
    }
}

/// Visits the values that weak maps have for an object: see [`Heap::set_weak_values_hook`].
pub type WeakValues = fn(u32, &mut dyn FnMut(usize, &crate::Value));

enum Queued {
    /// With a count of the queue's.
    Object(*mut ObjHeader),
    /// Of an object that was freed while others waited.
    Number(u32),
}

/// What the queue of dying objects gives ([`Heap::pop_dying`]).
#[derive(Debug)]
pub enum Dying {
    /// Its destructor must be called.
    Object(PObject),
    /// The number of an object that is gone already. In PHP destructors run inside of freeing what held the objects last, whose number is
    /// free behind theirs only.
    Number(ReservedId),
}

pub struct Heap {
    pub(crate) pages: Pages,
    pub(crate) gc: Collector,
    pub(crate) objects: Store<ObjHeader>,
    pub(crate) resources: Store<ResHeader>,
    pending: Cell<u32>,
    /// The flag that brings the instance to its next safe point.
    safepoint: RefCell<Option<Arc<AtomicBool>>>,
    dying: RefCell<VecDeque<Queued>>,
    next_resource: Cell<i64>,
    weak_hook: Cell<Option<fn(u32)>>,
    limit_hook: Cell<Option<LimitHook>>,
    weak_values_hook: Cell<Option<WeakValues>>,
    /// How many things that hold others are being freed right now, one in the other.
    pub(crate) free_depth: Cell<u32>,
    pub(crate) has_postponed: Cell<bool>,
    postponed: RefCell<Vec<*mut Header>>,
    has_pins: Cell<bool>,
    pins: RefCell<Vec<usize>>,
    kept: RefCell<Vec<Kept>>,
}

/// A freed block that a pin keeps.
struct Kept {
    block: NonNull<u8>,
    class: u8,
}

thread_local! {
    static CURRENT: Cell<*const Heap> = const { Cell::new(std::ptr::null()) };
}

/// The heap that is current on this thread.
#[inline(always)]
pub fn current<'a>() -> &'a Heap {
    let heap = CURRENT.get();
    if heap.is_null() {
        return thread_default();
    }
    // SAFETY: `enter` keeps the heap alive while it is current; references are not kept beyond the call that asked.
    unsafe { &*heap }
}

#[cold]
#[inline(never)]
fn thread_default<'a>() -> &'a Heap {
    // Never freed: values of the thread may outlive everything that could own it.
    let heap = std::mem::ManuallyDrop::new(Heap::new());
    CURRENT.set(heap.0.as_ptr());
    // SAFETY: it is not dropped.
    unsafe { &*heap.0.as_ptr() }
}

/// The owner of a heap, which stays where it is in memory. Everything in the heap goes when it is dropped.
pub struct OwnedHeap(NonNull<Heap>);

impl std::ops::Deref for OwnedHeap {
    type Target = Heap;
    fn deref(&self) -> &Heap {
        // SAFETY: alive until the owner is dropped.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for OwnedHeap {
    fn drop(&mut self) {
        // SAFETY: made from a box, and handles must not outlive their heap (module doc).
        unsafe {
            self.reset();
            if CURRENT.get() == self.0.as_ptr() {
                CURRENT.set(std::ptr::null());
            }
            drop(Box::from_raw(self.0.as_ptr()));
        }
    }
}

/// Memory of a foreign allocator that is counted in the current heap as long as this lives: for lists that a builtin gathers in `Vec`s on
/// the way to its result.
#[must_use = "what is counted ends with this"]
pub struct HeapCharge {
    bytes: usize,
}

impl HeapCharge {
    /// Nothing is charged yet.
    pub const fn none() -> HeapCharge {
        HeapCharge { bytes: 0 }
    }
    /// To be made before the memory is taken.
    pub fn new(bytes: usize) -> Result<HeapCharge, OutOfMemory> {
        let mut charge = HeapCharge::none();
        charge.resize(bytes)?;
        Ok(charge)
    }
    /// For a `Vec` with room for that many elements.
    pub fn for_vec<T>(capacity: usize) -> Result<HeapCharge, OutOfMemory> {
        HeapCharge::new(capacity.saturating_mul(size_of::<T>()))
    }
    /// Changes how many bytes are charged. On an error it stays as it was.
    pub fn resize(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        match bytes.checked_sub(self.bytes) {
            Some(more) => current().try_charge(more)?,
            None => current().uncharge(self.bytes - bytes),
        }
        self.bytes = bytes;
        Ok(())
    }
    /// Room for `more` elements in the vector that this charge belongs to. What growing needs is charged before it is taken,
    /// with the old block, which lives until its content is in the new one.
    pub fn reserve<T>(&mut self, vec: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
        if more <= vec.capacity() - vec.len() {
            return Ok(());
        }
        let size = size_of::<T>().max(1);
        let needed = vec.len().saturating_add(more);
        let wanted = needed.max(vec.capacity().saturating_mul(2));
        let old_bytes = vec.capacity() * size;
        let room = current().pages.room();
        let capacity = if wanted.saturating_mul(size) > room { needed } else { wanted };
        self.resize(capacity.saturating_mul(size).saturating_add(old_bytes))?;
        let reserved = vec.try_reserve_exact(capacity - vec.len());
        let uncharged = self.resize(vec.capacity() * size);
        match reserved {
            Ok(()) => uncharged,
            Err(_) => Err(current().pages.refuse(capacity.saturating_mul(size), true)),
        }
    }
}

impl Default for HeapCharge {
    fn default() -> HeapCharge {
        HeapCharge::none()
    }
}

impl Drop for HeapCharge {
    fn drop(&mut self) {
        current().uncharge(self.bytes);
    }
}

/// Makes the former heap current again when dropped.
pub struct HeapGuard<'a> {
    former: *const Heap,
    _heap: std::marker::PhantomData<&'a Heap>,
}

impl Drop for HeapGuard<'_> {
    fn drop(&mut self) {
        CURRENT.set(self.former);
    }
}

impl Heap {
    /// A heap without memory and without a limit.
    #[allow(clippy::new_ret_no_self)]
    pub fn new() -> OwnedHeap {
        let heap = NonNull::from(Box::leak(Box::new(Heap {
            pages: Pages::new(),
            gc: Collector::new(),
            objects: Store::new(),
            resources: Store::new(),
            pending: Cell::new(0),
            safepoint: RefCell::new(None),
            dying: RefCell::new(VecDeque::new()),
            next_resource: Cell::new(1),
            weak_hook: Cell::new(None),
            limit_hook: Cell::new(None),
            weak_values_hook: Cell::new(None),
            free_depth: Cell::new(0),
            has_postponed: Cell::new(false),
            postponed: RefCell::new(Vec::new()),
            has_pins: Cell::new(false),
            pins: RefCell::new(Vec::new()),
            kept: RefCell::new(Vec::new()),
        })));
        // SAFETY: just made. Everything that points at the heap (chunks, `CURRENT`) uses this one pointer.
        unsafe { heap.as_ref() }.pages.set_owner(heap.as_ptr());
        OwnedHeap(heap)
    }
    /// The heap that is current on this thread. Not to be kept: it is alive while it is current.
    #[inline(always)]
    pub fn current<'a>() -> &'a Heap {
        current()
    }
    /// [`Heap::has_dying`] of the current heap.
    #[inline(always)]
    pub fn current_has_dying() -> bool {
        current().has_dying()
    }
    /// [`Heap::charge`] on the current heap.
    pub fn charge_current(bytes: usize) {
        current().charge(bytes);
    }
    /// [`Heap::try_charge`] on the current heap.
    pub fn try_charge_current(bytes: usize) -> Result<(), OutOfMemory> {
        current().try_charge(bytes)
    }
    /// [`Heap::uncharge`] on the current heap.
    pub fn uncharge_current(bytes: usize) {
        current().uncharge(bytes);
    }
    /// Unwinds with what was refused last, where a library could only say that it had no memory.
    pub fn unwind_refusal() -> ! {
        let pages = &current().pages;
        pages.unwind(OutOfMemory::new())
    }
    /// Charges memory that a library takes, which may outlive the request: gives the number with which it is uncharged, 0 where no heap
    /// is current.
    pub fn try_charge_library(bytes: usize) -> Result<u64, OutOfMemory> {
        // SAFETY: what is current is alive.
        let Some(heap) = (unsafe { CURRENT.get().as_ref() }) else { return Ok(0) };
        heap.try_charge(bytes)?;
        Ok(heap.pages.epoch())
    }
    /// The library gives memory back. Nothing happens when the request that it was charged to is not the current one (any more).
    pub fn uncharge_library(bytes: usize, number: u64) {
        // SAFETY: as above.
        if let Some(heap) = unsafe { CURRENT.get().as_ref() }
            && heap.pages.epoch() == number
        {
            heap.uncharge(bytes);
        }
    }
    /// Makes this heap current until the guard goes.
    pub fn enter(&self) -> HeapGuard<'_> {
        HeapGuard { former: CURRENT.replace(self), _heap: std::marker::PhantomData }
    }
    /// Switches the current heap (null: none) and returns the former one, for switching coroutines.
    ///
    /// # Safety
    /// `heap` outlives the time that it is current.
    pub unsafe fn swap_current(heap: *const Heap) -> *const Heap {
        CURRENT.replace(heap)
    }
    /// The word to test at safe points: bits of [`pending`].
    #[inline(always)]
    pub fn pending(&self) -> &Cell<u32> {
        &self.pending
    }
    #[inline(always)]
    pub fn has_dying(&self) -> bool {
        self.pending.get() & pending::DYING != 0
    }
    /// The next thing of the queue.
    pub fn pop_dying(&self) -> Option<Dying> {
        let mut dying = self.dying.borrow_mut();
        let next = dying.pop_front();
        if dying.is_empty() {
            self.lower(pending::DYING);
        }
        Some(match next? {
            // SAFETY: the queue owned the count.
            Queued::Object(object) => Dying::Object(unsafe { PObject::from_ptr(object) }),
            Queued::Number(number) => Dying::Number(ReservedId::of_freed(number)),
        })
    }
    pub(crate) fn queue_dying(&self, object: *mut ObjHeader) {
        self.dying.borrow_mut().push_back(Queued::Object(object));
        self.raise(pending::DYING);
    }
    /// Gives an object's number back, after those of the objects that were to die before it.
    pub(crate) fn give_back(&self, number: u32) {
        if self.has_dying() {
            self.objects.keep(number);
            self.dying.borrow_mut().push_back(Queued::Number(number));
        } else {
            self.objects.remove(number);
        }
    }
    /// Puts off freeing a thing that nobody holds any more.
    #[cold]
    pub(crate) fn postpone(&self, this: *mut Header) {
        self.postponed.borrow_mut().push(this);
        self.has_postponed.set(true);
    }
    pub(crate) fn next_postponed(&self) -> Option<*mut Header> {
        let next = self.postponed.borrow_mut().pop();
        self.has_postponed.set(next.is_some());
        next
    }
    // ---- pins
    //
    // An instruction that writes to a place (an element, a property) knows it by address, without a count: a count on the container
    // would make it shared, and so change what the write does. When such an instruction runs PHP code in its middle, that code may
    // free or move the container. So the address is pinned meanwhile: a block that contains it is not given back when it is freed, but
    // cleared (every value in it reads as UNDEF) and kept. Writing there afterwards is harmless: nobody sees it.

    /// Keeps the memory at `address` from being used for something else when it is freed.
    pub fn pin(&self, address: usize) {
        self.pins.borrow_mut().push(address);
        self.has_pins.set(true);
    }
    /// Ends one [`Heap::pin`] of this address. What was kept for it stays until [`Heap::free_kept`].
    pub fn unpin(&self, address: usize) {
        let mut pins = self.pins.borrow_mut();
        if let Some(at) = pins.iter().rposition(|&p| p == address) {
            pins.swap_remove(at);
        }
        self.has_pins.set(!pins.is_empty());
    }
    /// Is an address in this range pinned?
    pub fn is_pinned(&self, start: usize, bytes: usize) -> bool {
        self.has_pins.get() && self.pins.borrow().iter().any(|&p| p.wrapping_sub(start) < bytes)
    }
    /// Are there blocks that were freed while they were pinned?
    #[inline]
    pub fn has_kept(&self) -> bool {
        !self.kept.borrow().is_empty()
    }
    /// Gives back what pins kept, unless there are pins still: nobody writes to the places any more.
    pub fn free_kept(&self) {
        if self.has_pins.get() {
            return;
        }
        for kept in self.kept.take() {
            // SAFETY: the block was freed by its owner, with this class.
            unsafe {
                match kept.class {
                    0xff => self.pages.free_large(kept.block),
                    class => self.pages.free_class(kept.block, class),
                }
            }
        }
    }
    /// Clears and keeps a freed block that is pinned. False: it is not.
    #[cold]
    #[inline(never)]
    unsafe fn keep(&self, block: NonNull<u8>, class: u8) -> bool {
        // SAFETY: a freed block of this heap.
        let bytes = if class == 0xff { unsafe { Pages::large_size(block) } } else { class_size(class) };
        if !self.is_pinned(block.as_ptr().addr(), bytes) {
            return false;
        }
        // SAFETY: the block has that many bytes, which nobody uses; all zero bits are UNDEF values.
        unsafe { block.as_ptr().write_bytes(0, bytes) };
        self.kept.borrow_mut().push(Kept { block, class });
        true
    }

    /// Called when the limit is exceeded, before anything is unwound: the last moment at which the running code's place can be seen.
    ///
    /// # Safety
    /// Until another hook (or none) is set the function may be called with this pointer, on the heap's thread; it allocates nothing here.
    pub unsafe fn set_limit_hook(&self, hook: Option<LimitHook>) {
        self.limit_hook.set(hook);
    }
    pub(crate) fn call_limit_hook(&self) {
        if let Some((hook, argument)) = self.limit_hook.get() {
            // SAFETY: as whoever set it promised.
            unsafe { hook(argument) };
        }
    }
    /// Called with the id of every freed object that is marked weakly referenced.
    pub fn set_weak_hook(&self, hook: Option<fn(u32)>) {
        self.weak_hook.set(hook);
    }
    /// Calls its second argument with every weak map ([`Native::weak_map`](crate::Native::weak_map)) that has the object of this number as
    /// a key, and the value there.
    pub fn set_weak_values_hook(&self, hook: Option<WeakValues>) {
        self.weak_values_hook.set(hook);
    }
    pub(crate) fn weak_values(&self, id: u32, visit: &mut dyn FnMut(usize, &crate::Value)) {
        if let Some(hook) = self.weak_values_hook.get() {
            hook(id, visit);
        }
    }
    /// The object of this number, not counted.
    pub(crate) fn object_ptr(&self, id: u32) -> Option<*mut ObjHeader> {
        self.objects.get(id)
    }
    pub(crate) fn call_weak_hook(&self, id: u32) {
        if let Some(hook) = self.weak_hook.get() {
            hook(id);
        }
    }
    /// The flag to raise when [`pending::GC`] is: hot code tests that one alone.
    pub fn set_safepoint_flag(&self, flag: Arc<AtomicBool>) {
        *self.safepoint.borrow_mut() = Some(flag);
    }
    /// Asks for a collection at the next safe point.
    pub(crate) fn request_collection(&self) {
        self.raise(pending::GC);
        if let Some(flag) = &*self.safepoint.borrow() {
            flag.store(true, Ordering::Relaxed);
        }
    }
    pub(crate) fn next_resource_id(&self) -> i64 {
        let id = self.next_resource.get();
        self.next_resource.set(id + 1);
        id
    }
    pub(crate) fn raise(&self, bits: u32) {
        self.pending.set(self.pending.get() | bits);
    }
    pub(crate) fn lower(&self, bits: u32) {
        self.pending.set(self.pending.get() & !bits);
    }

    /// Bytes in use (`memory_get_usage()`).
    pub fn usage(&self) -> usize {
        self.pages.used()
    }
    /// Bytes taken from the system (`memory_get_usage(true)`).
    pub fn real_usage(&self) -> usize {
        self.pages.real()
    }
    pub fn peak(&self) -> usize {
        self.pages.peak()
    }
    pub fn real_peak(&self) -> usize {
        self.pages.real_peak()
    }
    /// `memory_reset_peak_usage()`.
    pub fn reset_peak(&self) {
        self.pages.reset_peak();
    }
    pub fn limit(&self) -> usize {
        self.pages.limit()
    }
    /// What every request takes from the system at least: no limit can be lower.
    pub const LEAST_BYTES: usize = crate::pages::CHUNK;
    /// `memory_limit` in bytes; `usize::MAX` for none. Also closes the reserve that exceeding the limit opened.
    pub fn set_limit(&self, bytes: usize) {
        self.pages.set_limit(bytes);
    }
    /// Closes the reserve that exceeding the limit opened, when the error has been reported.
    pub fn end_reserve(&self) {
        self.pages.end_reserve();
    }
    /// Counts memory that a foreign allocator is about to hold for this instance.
    pub fn try_charge(&self, bytes: usize) -> Result<(), OutOfMemory> {
        self.pages.try_charge(bytes)
    }
    /// Bytes of [`Heap::real_usage`], for other threads.
    pub fn footprint(&self) -> Arc<AtomicUsize> {
        self.pages.footprint()
    }
    /// What was refused since this was asked last.
    pub fn take_refusal(&self) -> Option<MemoryLimit> {
        self.pages.take_refusal()
    }
    /// As [`Heap::try_charge`], but unwinds when the limit would be exceeded.
    pub fn charge(&self, bytes: usize) {
        self.pages.charge(bytes);
    }
    pub fn uncharge(&self, bytes: usize) {
        self.pages.uncharge(bytes);
    }

    /// No destructor will be called any more (the request ended with a fatal error, or they all have been).
    pub fn mark_all_destructed(&self) {
        for object in self.objects.all() {
            // SAFETY: the store lists living objects only.
            unsafe { (*object).header.set(DESTRUCTED) };
        }
    }
    /// Number of live objects.
    pub fn object_count(&self) -> usize {
        self.objects.live()
    }
    /// Live resources in the order of their creation.
    pub fn live_resources(&self) -> Vec<PResource> {
        // SAFETY: the store lists living resources only.
        let mut all: Vec<PResource> = self.resources.all().map(|p| unsafe { PResource::share(p) }).collect();
        all.sort_by_key(PResource::id);
        all
    }

    /// Drops the native state of everything that is alive, then all memory at once, and starts again (ids included). The limit,
    /// the hook and the collector's settings stay.
    ///
    /// # Safety
    /// No handle, `Raw` or pointer into this heap is used or dropped afterwards (forget what is left).
    pub unsafe fn reset(&self) {
        // SAFETY: the pointer is this heap.
        let former = unsafe { Heap::swap_current(self) };
        let hook = self.weak_hook.replace(None);
        // A count held on everything: native state that drops values frees nothing that is still to come.
        for object in self.objects.all() {
            // SAFETY: the store lists living objects only.
            unsafe {
                (*object).header.add_ref();
                (*object).header.set(DESTRUCTED | NOT_COLLECTABLE);
            }
        }
        for resource in self.live_resources().into_iter().rev() {
            // SAFETY: alive; no borrow is left, by contract.
            unsafe { crate::resource::shut(resource.into_ptr()) };
        }
        for object in self.objects.all() {
            // SAFETY: alive because of the count taken; its state is not borrowed, by contract.
            let native = unsafe { (*object).native.take() };
            drop(native);
        }
        self.objects.reset();
        self.resources.reset();
        self.next_resource.set(1);
        self.dying.borrow_mut().clear();
        self.postponed.borrow_mut().clear();
        self.has_postponed.set(false);
        self.pins.borrow_mut().clear();
        self.has_pins.set(false);
        self.kept.borrow_mut().clear();
        self.free_depth.set(0);
        self.pending.set(0);
        self.gc.reset();
        self.pages.reset();
        self.weak_hook.set(hook);
        CURRENT.set(former);
    }

    /// The object with this handle.
    pub fn object(&self, id: u32) -> Option<PObject> {
        let ptr = self.objects.get(id)?;
        // SAFETY: the store lists living objects only.
        Some(unsafe { PObject::share(ptr) })
    }
    /// New objects get handles behind all others from now on, as in PHP while it calls the last destructors.
    pub fn stop_reusing_handles(&self) {
        self.objects.append_only();
    }
    /// The live objects whose destructors have not been called, in the order of their handles, whatever happens on the way.
    pub fn undestructed_objects(&self) -> impl Iterator<Item = PObject> {
        let mut last = 0;
        std::iter::from_fn(move || loop {
            let next = self.objects.after(last)?;
            // SAFETY: the store lists living objects only.
            unsafe {
                last = (*next).id;
                if (*next).header.info.get() & DESTRUCTED == 0 {
                    return Some(PObject::share(next));
                }
            }
        })
    }
    /// The live objects in the order of their handles, whatever happens to them and others on the way.
    pub fn objects(&self) -> impl Iterator<Item = PObject> {
        let mut last = 0;
        std::iter::from_fn(move || {
            let next = self.next_object(last)?;
            last = next.id();
            Some(next)
        })
    }
    /// The live object with the least handle above this one.
    fn next_object(&self, handle: u32) -> Option<PObject> {
        // SAFETY: the store lists living objects only.
        self.objects.after(handle).map(|ptr| unsafe { PObject::share(ptr) })
    }
    /// Every live object, in the order of their handles. A request may have millions of them: to look at each, [`Heap::objects`] takes no list.
    pub fn live_objects(&self) -> Vec<PObject> {
        // SAFETY: as above.
        self.objects.all().map(|p| unsafe { PObject::share(p) }).collect()
    }
}

/// Bytes that all heaps of the process have from the system: what tests for leaks look at.
pub fn bytes_of_all_heaps() -> usize {
    crate::sys::held_bytes()
}

/// The size of a class's blocks.
#[inline(always)]
pub const fn class_size(class: u8) -> usize {
    CLASS_SIZES[class as usize] as usize
}

/// The size of the block that `size` bytes get.
#[inline]
pub fn usable_size(size: usize) -> usize {
    match size_class(size) {
        0xff => size,
        class => class_size(class),
    }
}

/// A block of at least `size` bytes, aligned to 8 (to 16 when the size is a multiple of 16). Not initialised. Unwinds with
/// [`MemoryLimit`] when the limit would be exceeded.
#[inline(always)]
pub fn alloc(size: usize) -> NonNull<u8> {
    let class = size_class(size);
    if class == CLASS_LARGE as u8 {
        return alloc_large(size);
    }
    current().pages.alloc_class(class)
}

/// As [`alloc`], where growing may fail.
#[inline]
pub fn try_alloc(size: usize) -> Result<NonNull<u8>, OutOfMemory> {
    let class = size_class(size);
    let pages = &current().pages;
    if class == CLASS_LARGE as u8 { pages.try_alloc_large(size) } else { pages.try_alloc_class(class) }
}

#[cold]
#[inline(never)]
fn alloc_large(size: usize) -> NonNull<u8> {
    current().pages.alloc_large(size)
}

/// Frees a block of the request heap that it came from (whichever is current).
///
/// # Safety
/// `ptr` is a block that was asked for with this size; it is not used any more.
#[inline(always)]
pub unsafe fn free(ptr: NonNull<u8>, size: usize) {
    // SAFETY: forwarded; the size tells which of the two it is.
    unsafe {
        match size_class(size) {
            0xff => free_large(ptr),
            class => free_class(ptr, class),
        }
    }
}

/// # Safety
/// `ptr` is a block of this class; it is not used any more.
#[inline(always)]
pub unsafe fn free_class(ptr: NonNull<u8>, class: u8) {
    // SAFETY: forwarded.
    unsafe {
        let heap = owner(ptr);
        if heap.has_pins.get() && heap.keep(ptr, class) {
            return;
        }
        heap.pages.free_class(ptr, class)
    }
}

/// # Safety
/// `ptr` is a large block; it is not used any more.
#[cold]
#[inline(never)]
pub unsafe fn free_large(ptr: NonNull<u8>) {
    // SAFETY: forwarded.
    unsafe {
        let heap = owner(ptr);
        if heap.has_pins.get() && heap.keep(ptr, CLASS_LARGE as u8) {
            return;
        }
        heap.pages.free_large(ptr)
    }
}

/// Usable bytes of a large block.
///
/// # Safety
/// `ptr` is a large block.
pub unsafe fn large_size(ptr: NonNull<u8>) -> usize {
    // SAFETY: forwarded.
    unsafe { Pages::large_size(ptr) }
}

/// Moves a block to one of another size, or changes it in place; the content up to the smaller size is kept.
///
/// # Safety
/// `ptr` is a block that was asked for with size `old`; the result replaces it.
pub unsafe fn realloc(ptr: NonNull<u8>, old: usize, new: usize) -> NonNull<u8> {
    // SAFETY: forwarded.
    match unsafe { try_realloc(ptr, old, new) } {
        Ok(there) => there,
        Err(refused) => current().pages.unwind(refused),
    }
}

/// As [`realloc`], where growing may fail: then the block stays as it was.
///
/// # Safety
/// As [`realloc`].
pub unsafe fn try_realloc(ptr: NonNull<u8>, old: usize, new: usize) -> Result<NonNull<u8>, OutOfMemory> {
    let (old_class, new_class) = (size_class(old), size_class(new));
    if old_class == new_class {
        if old_class != CLASS_LARGE as u8 {
            return Ok(ptr);
        }
        // SAFETY: a large block, by its size.
        let heap = unsafe { owner(ptr) };
        // A pinned block must not move away from its address.
        if !heap.has_pins.get()
            // SAFETY: as above.
            && let Some(there) = unsafe { heap.pages.resize_large(ptr, new)? }
        {
            return Ok(there);
        }
    }
    let to = try_alloc(new)?;
    // SAFETY: both blocks are long enough and different.
    unsafe {
        to.copy_from_nonoverlapping(ptr, old.min(new));
        free(ptr, old);
    }
    Ok(to)
}

/// Bytes that the current heap may still take from the system before `memory_limit` is reached. It takes whole chunks.
pub fn room() -> usize {
    current().pages.room()
}

/// A size that cannot be had at all: ends the request as exceeding the limit does.
#[cold]
#[inline(never)]
pub fn too_large(size: usize) -> ! {
    let pages = &current().pages;
    pages.unwind(pages.refuse(size, false))
}

/// The same as an error.
#[cold]
#[inline(never)]
pub fn refuse_size(size: usize) -> OutOfMemory {
    current().pages.refuse(size, false)
}
