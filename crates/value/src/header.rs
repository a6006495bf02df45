//! The header that starts every counted thing: reference count, kind and flags.
//!
//! Invariants: a count is positive while somebody holds the thing; a negative count means immortal or frozen, and is then
//! never written. `info` keeps the kind in its low byte and [`IMMORTAL`] in bit 8, so that the tag of a [`Raw`](crate::Raw)
//! pointing here is one mask and one xor away. Collectable things (arrays, objects) keep their place in the collector's
//! root buffer and their colour in the upper half, strings their size class.

use crate::raw::Kind;
use std::cell::Cell;

/// Never counted, never freed; shared by threads. Also the bit that, inverted, is `Raw`'s COUNTED.
pub const IMMORTAL: u32 = 1 << 8;
/// Belongs to a frozen heap: may be read, must not be written without the undo log.
pub const FROZEN: u32 = 1 << 9;
/// A string in the table of immortal strings: equal pointers are equal strings (not the other way round).
pub const INTERNED: u32 = 1 << 10;
/// Recursion mark of whoever walks nested values (var_dump, comparison, count).
pub const PROTECTED: u32 = 1 << 11;
/// The destructor of this object has been called, or must not be called any more, or there is none.
pub const DESTRUCTED: u32 = 1 << 12;
/// A WeakReference or WeakMap knows this object: the heap's hook is called when it is freed.
pub const WEAKLY_REFERENCED: u32 = 1 << 13;
/// Cannot be part of a cycle (strings, resources, and anything while the collector frees it).
pub const NOT_COLLECTABLE: u32 = 1 << 14;

/// Strings: the heap's size class, [`CLASS_LARGE`] when the heap must be asked.
pub const CLASS_SHIFT: u32 = 16;
pub const CLASS_MASK: u32 = 0xff << CLASS_SHIFT;
pub const CLASS_LARGE: u32 = 0xff;

/// Arrays and objects: place in the root buffer plus one, modulo [`GC_SLOT_COUNT`]; zero when not buffered.
pub const GC_SLOT_SHIFT: u32 = 16;
pub const GC_SLOT_MASK: u32 = 0x3fff << GC_SLOT_SHIFT;
pub const GC_SLOT_COUNT: usize = 0x3fff;
/// Colour of the collector.
pub const GC_COLOUR_SHIFT: u32 = 30;
pub const GC_COLOUR_MASK: u32 = 3 << GC_COLOUR_SHIFT;

/// Count of immortal things. Any negative number would do; this one is far from zero on both sides.
pub const IMMORTAL_COUNT: i32 = i32::MIN / 2;

/// Start of every string, array, object, resource and reference.
#[repr(C)]
#[derive(Debug)]
pub struct Header {
    pub rc: Cell<i32>,
    pub info: Cell<u32>,
}

impl Header {
    /// A header with count 1.
    #[inline(always)]
    pub const fn new(kind: Kind, flags: u32) -> Header {
        Header { rc: Cell::new(1), info: Cell::new(kind as u32 | flags) }
    }

    /// A header that is never counted.
    pub const fn immortal(kind: Kind, flags: u32) -> Header {
        Header { rc: Cell::new(IMMORTAL_COUNT), info: Cell::new(kind as u32 | flags | IMMORTAL) }
    }

    #[inline(always)]
    pub fn kind_byte(&self) -> u8 {
        self.info.get() as u8
    }

    /// The tag of a `Raw` that points here.
    #[inline(always)]
    pub fn tag(&self) -> u64 {
        ((self.info.get() & 0x1ff) ^ IMMORTAL) as u64
    }

    #[inline(always)]
    pub fn has(&self, flag: u32) -> bool {
        self.info.get() & flag != 0
    }

    #[inline(always)]
    pub fn set(&self, flag: u32) {
        self.info.set(self.info.get() | flag);
    }

    #[inline(always)]
    pub fn unset(&self, flag: u32) {
        self.info.set(self.info.get() & !flag);
    }

    /// Exactly one holder, and writable: may be changed in place.
    #[inline(always)]
    pub fn is_unique(&self) -> bool {
        self.rc.get() == 1
    }

    /// Would one holder less leave nothing to do: neither to free the thing nor to tell the collector about it?
    #[inline(always)]
    pub fn is_shared(&self) -> bool {
        self.rc.get() != 1 && (self.rc.get() < 0 || self.info.get() & (GC_SLOT_MASK | NOT_COLLECTABLE) != 0)
    }

    /// One holder less, where [`is_shared`](Header::is_shared) said that there is nothing else to do.
    #[inline(always)]
    pub fn drop_shared(&self) {
        let rc = self.rc.get();
        if rc > 0 {
            self.rc.set(rc - 1);
        }
    }

    /// One more holder. A count that overflows becomes negative, that is immortal: it leaks instead of dangling.
    #[inline(always)]
    pub fn add_ref(&self) {
        let rc = self.rc.get();
        if rc >= 0 {
            self.rc.set(rc.wrapping_add(1));
        }
    }

    /// One holder less; frees the thing with the last one, and tells the collector about what may be the rest of a cycle.
    ///
    /// # Safety
    /// The caller owns one count of the thing behind `this` and gives it up.
    #[inline(always)]
    pub unsafe fn release(this: *mut Header) {
        // SAFETY: the caller's count keeps the thing alive until the decrement.
        let header = unsafe { &*this };
        let rc = header.rc.get();
        if rc > 1 {
            header.rc.set(rc - 1);
            if header.info.get() & (GC_SLOT_MASK | NOT_COLLECTABLE) == 0 {
                // SAFETY: still alive, somebody else holds a count.
                unsafe { crate::gc::possible_root(this) };
            }
        } else if rc == 1 {
            // SAFETY: that was the last count.
            unsafe { release_zero(this) };
        }
    }
}

/// Things nested deeper than this are put off instead of being freed by recursion.
const FREE_DEPTH: u32 = 200;

/// Frees what nobody holds any more.
///
/// # Safety
/// `this` is alive and its only count belongs to the caller, who gives it up.
#[inline(never)]
pub unsafe fn release_zero(this: *mut Header) {
    // SAFETY: alive, by contract; the kind says what it is; counted things are blocks of a heap.
    unsafe {
        if (*this).kind_byte() == Kind::String as u8 {
            return crate::string::free(this.cast());
        }
        let heap = crate::heap::owner(std::ptr::NonNull::new_unchecked(this.cast()));
        let depth = heap.free_depth.get();
        if depth >= FREE_DEPTH {
            return heap.postpone(this);
        }
        heap.free_depth.set(depth + 1);
        free_now(this);
        heap.free_depth.set(depth);
        if depth == 0 && heap.has_postponed.get() {
            free_postponed(heap);
        }
    }
}

/// # Safety
/// No other thing of this heap is being freed.
#[cold]
#[inline(never)]
unsafe fn free_postponed(heap: &crate::heap::Heap) {
    heap.free_depth.set(1);
    while let Some(this) = heap.next_postponed() {
        // SAFETY: its last count was given up when it was put off.
        unsafe { free_now(this) };
    }
    heap.free_depth.set(0);
}

/// Frees one array, object, resource or reference, releasing what it holds.
///
/// # Safety
/// As [`release_zero`].
#[inline(always)]
unsafe fn free_now(this: *mut Header) {
    // SAFETY: alive, by contract; the kind byte says what the pointer points at.
    unsafe {
        match (*this).kind_byte() {
            k if k == Kind::Object as u8 => crate::object::free(this.cast()),
            k if k == Kind::Array as u8 => {
                if (*this).has(GC_SLOT_MASK) {
                    crate::gc::forget(this);
                }
                crate::array::free(this.cast());
            }
            k if k == Kind::Ref as u8 => crate::reference::free(this.cast()),
            k if k == Kind::Resource as u8 => crate::resource::free(this.cast()),
            k => debug_assert!(false, "header of kind {k} cannot be freed"),
        }
    }
}

/// Clone, Drop and header access of a handle that is a pointer at something starting with a [`Header`].
macro_rules! counted_handle {
    ($handle:ident, $head:ty) => {
        impl Clone for $handle {
            #[inline(always)]
            fn clone(&self) -> Self {
                self.header().add_ref();
                $handle(self.0)
            }
        }
        impl Drop for $handle {
            #[inline(always)]
            fn drop(&mut self) {
                // SAFETY: the handle owns one count.
                unsafe { $crate::header::Header::release(self.0.as_ptr().cast()) };
            }
        }
        impl $handle {
            #[inline(always)]
            pub fn header(&self) -> &$crate::header::Header {
                // SAFETY: the thing is alive while a handle is, and starts with its header.
                unsafe { &*self.0.as_ptr().cast::<$crate::header::Header>() }
            }
            /// The pointer behind the handle; the handle keeps its count.
            #[inline(always)]
            pub fn as_ptr(&self) -> *mut $head {
                self.0.as_ptr()
            }
            /// Gives up the handle without its count.
            #[inline(always)]
            pub fn into_ptr(self) -> *mut $head {
                let ptr = self.0.as_ptr();
                std::mem::forget(self);
                ptr
            }
            /// # Safety
            /// `ptr` is alive and the caller gives one of its counts to the handle.
            #[inline(always)]
            pub unsafe fn from_ptr(ptr: *mut $head) -> Self {
                // SAFETY: not null, by contract.
                $handle(unsafe { std::ptr::NonNull::new_unchecked(ptr) })
            }
            /// A new handle on a living thing, with a count of its own.
            ///
            /// # Safety
            /// `ptr` is alive.
            #[inline(always)]
            pub unsafe fn share(ptr: *mut $head) -> Self {
                // SAFETY: alive, by contract.
                unsafe {
                    (*ptr.cast::<$crate::header::Header>()).add_ref();
                    Self::from_ptr(ptr)
                }
            }
            /// A pointer slot seen as a handle, without counting.
            ///
            /// # Safety
            /// The slot holds a valid pointer of this kind for as long as the result lives.
            #[inline(always)]
            pub unsafe fn from_slot(slot: &u64) -> &Self {
                // A word has no provenance when it is read as a pointer: Miri gets a handle made anew of the address, which nobody drops.
                #[cfg(miri)]
                // SAFETY: the slot holds such a pointer.
                return Box::leak(Box::new(unsafe { Self::from_ptr(*slot as *mut $head) }));
                #[cfg(not(miri))]
                // SAFETY: the handle is transparent over a pointer, which is as wide as the slot.
                unsafe {
                    &*(slot as *const u64).cast::<Self>()
                }
            }
            /// Number of holders; negative when it is not counted.
            #[inline(always)]
            pub fn ref_count(&self) -> i32 {
                self.header().rc.get()
            }
            /// The same thing (not: an equal one)?
            #[inline(always)]
            pub fn ptr_eq(&self, other: &Self) -> bool {
                self.0 == other.0
            }
            /// Owned value word pair, the count moves into it.
            #[inline(always)]
            pub fn into_raw(self) -> $crate::Raw {
                let tag = self.header().tag();
                $crate::Raw { tag, bits: self.into_ptr() as u64 }
            }
        }
        impl From<$handle> for $crate::Value {
            #[inline(always)]
            fn from(handle: $handle) -> $crate::Value {
                // SAFETY: the count of the handle becomes the count of the value.
                unsafe { $crate::Value::from_raw(handle.into_raw()) }
            }
        }
        impl From<&$handle> for $crate::Value {
            #[inline(always)]
            fn from(handle: &$handle) -> $crate::Value {
                $crate::Value::from(handle.clone())
            }
        }
    };
}
pub(crate) use counted_handle;
