//! The request heap of one instance: memory, the stores of live objects and resources, the queue of dying objects.
//!
//! One heap is current on a thread while its instance runs, so allocation needs no parameter; a thread without one gets a heap
//! of its own with the first allocation (tests, tools). Invariant: a thing is freed on the thread, and while the heap is current, that
//! it was allocated from.

use crate::header::Header;
use crate::object::{ObjHeader, PObject};
use crate::pages::{CLASS_SIZES, Pages};
use crate::resource::ResHeader;
use crate::store::Store;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ptr::NonNull;

/// Bits of [`Heap::pending`]: what the engine has to do at its next safe point.
pub mod pending {
    /// Objects wait for their destructors.
    pub const DYING: u32 = 1;
    /// The root buffer is full: run the cycle collector.
    pub const GC: u32 = 2;
}

/// Thrown (by `resume_unwind`) when `memory_limit` would be exceeded.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    pub limit: usize,
    pub tried: usize,
}

pub struct Heap {
    pub(crate) pages: Pages,
    pub(crate) objects: Store<ObjHeader>,
    pub(crate) resources: Store<ResHeader>,
    pending: Cell<u32>,
    dying: RefCell<VecDeque<*mut ObjHeader>>,
    next_resource: Cell<i64>,
    weak_hook: Cell<Option<fn(u32)>>,
    free_depth: Cell<u32>,
    postponed: RefCell<Vec<*mut Header>>,
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
    let heap: &'static Heap = Box::leak(Heap::new());
    CURRENT.set(heap);
    heap
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
    pub fn new() -> Box<Heap> {
        Box::new(Heap {
            pages: Pages,
            objects: Store::new(),
            resources: Store::new(),
            pending: Cell::new(0),
            dying: RefCell::new(VecDeque::new()),
            next_resource: Cell::new(1),
            weak_hook: Cell::new(None),
            free_depth: Cell::new(0),
            postponed: RefCell::new(Vec::new()),
        })
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
    /// The next object whose destructor must be called; its count is the caller's.
    pub fn pop_dying(&self) -> Option<PObject> {
        let mut dying = self.dying.borrow_mut();
        let object = dying.pop_front();
        if dying.is_empty() {
            self.pending.set(self.pending.get() & !pending::DYING);
        }
        // SAFETY: the queue owned the count.
        object.map(|o| unsafe { PObject::from_ptr(o) })
    }
    pub(crate) fn queue_dying(&self, object: *mut ObjHeader) {
        self.dying.borrow_mut().push_back(object);
        self.pending.set(self.pending.get() | pending::DYING);
    }
    /// Called with the id of every freed object that is marked weakly referenced.
    pub fn set_weak_hook(&self, hook: Option<fn(u32)>) {
        self.weak_hook.set(hook);
    }
    pub(crate) fn call_weak_hook(&self, id: u32) {
        if let Some(hook) = self.weak_hook.get() {
            hook(id);
        }
    }
    pub(crate) fn next_resource_id(&self) -> i64 {
        let id = self.next_resource.get();
        self.next_resource.set(id + 1);
        id
    }
    /// The object with this handle.
    pub fn object(&self, id: u32) -> Option<PObject> {
        let ptr = self.objects.get(id)?;
        // SAFETY: the store lists living objects only.
        Some(unsafe { PObject::share(ptr) })
    }
    /// Every live object, in the order of their handles.
    pub fn live_objects(&self) -> Vec<PObject> {
        // SAFETY: as above.
        self.objects.all().map(|p| unsafe { PObject::share(p) }).collect()
    }
}

/// Frees a thing; things nested deeper than the stack should bear are put off until the outer ones are done.
///
/// # Safety
/// As `header::release_zero`.
pub(crate) unsafe fn free_nested(this: *mut Header, free_now: unsafe fn(*mut Header)) {
    const DEPTH: u32 = 200;
    let heap = current();
    let depth = heap.free_depth.get();
    if depth >= DEPTH {
        heap.postponed.borrow_mut().push(this);
        return;
    }
    heap.free_depth.set(depth + 1);
    // SAFETY: forwarded.
    unsafe { free_now(this) };
    if depth == 0 {
        loop {
            let next = heap.postponed.borrow_mut().pop();
            let Some(next) = next else { break };
            // SAFETY: its last count was given up when it was put off.
            unsafe { free_now(next) };
        }
    }
    heap.free_depth.set(depth);
}

/// The class of blocks for `size` bytes; [`CLASS_LARGE`](crate::header::CLASS_LARGE) when there is none.
#[inline(always)]
pub const fn size_class(size: usize) -> u8 {
    if size <= 64 {
        if size == 0 { 0 } else { ((size - 1) >> 3) as u8 }
    } else if size <= 3072 {
        // Four classes to each doubling.
        let top = (size - 1).ilog2();
        (((size - 1) >> (top - 2)) & 3) as u8 + (top as u8 - 6) * 4 + 8
    } else {
        0xff
    }
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

/// A block of at least `size` bytes, aligned to 8 (16 for sizes that are multiples of 16). Not initialised. Unwinds with
/// [`MemoryLimit`] when the limit would be exceeded.
#[inline(always)]
pub fn alloc(size: usize) -> NonNull<u8> {
    current().pages.alloc_large(size)
}

/// # Safety
/// `ptr` is a block that was asked for with this size; it is not used any more.
#[inline(always)]
pub unsafe fn free(ptr: NonNull<u8>, _size: usize) {
    // SAFETY: forwarded.
    unsafe { current().pages.free_large(ptr) }
}
/// # Safety
/// `ptr` is a block of this class; it is not used any more.
#[inline(always)]
pub unsafe fn free_class(ptr: NonNull<u8>, _class: u8) {
    // SAFETY: forwarded.
    unsafe { current().pages.free_large(ptr) }
}
/// # Safety
/// `ptr` is a large block; it is not used any more.
pub unsafe fn free_large(ptr: NonNull<u8>) {
    // SAFETY: forwarded.
    unsafe { current().pages.free_large(ptr) }
}
/// # Safety
/// `ptr` is a large block.
pub unsafe fn large_size(ptr: NonNull<u8>) -> usize {
    // SAFETY: forwarded.
    unsafe { Pages::large_size(ptr) }
}
/// Moves a block to one of another size; the content up to the smaller size is kept.
///
/// # Safety
/// `ptr` is a block that was asked for with size `old`; the result replaces it.
pub unsafe fn realloc(ptr: NonNull<u8>, old: usize, new: usize) -> NonNull<u8> {
    let to = alloc(new);
    // SAFETY: both blocks are long enough and different.
    unsafe {
        to.copy_from_nonoverlapping(ptr, old.min(new));
        free(ptr, old);
    }
    to
}

/// A size that cannot be had at all: ends the request as exceeding the limit does.
#[cold]
#[inline(never)]
pub fn too_large(size: usize) -> ! {
    std::panic::resume_unwind(Box::new(MemoryLimit { limit: 0, tried: size }))
}
