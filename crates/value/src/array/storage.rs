//! The storage of arrays: packed and hash forms, and the primitive operations on them.
//!
//! - *Packed*: `Raw[cap]`, element `n` has key `n`; a removed one is UNDEF. `used` is one past the last element.
//! - *Hash*: `Bucket[cap]` in insertion order, removed ones UNDEF, followed (when `cap > LINEAR_MAX`) by an index of `u32`
//!   with linear probing; smaller ones are searched in order, which needs no index and no memory for it.
//!
//! Invariants: `count <= used <= cap`; keys are unique; an array with a count other than 1 is never written. The empty array is a
//! shared static with `cap` 0. Allocation comes first, then the change, so that unwinding out of the allocator leaves a valid array.

use crate::heap;
use crate::header::Header;
use crate::raw::{Kind, Raw, tag};
use crate::string::{PStr, StrHeader, bytes_of, same_bytes};
use std::ptr::{self, NonNull};

const UNDEF: u64 = tag::UNDEF;

/// Hash arrays of up to this many buckets have no index.
const LINEAR_MAX: u32 = 8;
const EMPTY_SLOT: u32 = u32::MAX;
/// Elements are numbered by `u32`; PHP stops earlier, at its memory limit.
const MAX_ELEMENTS: u64 = 1 << 30;

pub(crate) const PACKED: u32 = 1;

/// The head of every array.
#[repr(C)]
pub struct ArrayHeader {
    pub header: Header,
    pub(crate) data: *mut u8,
    pub(crate) used: u32,
    pub(crate) count: u32,
    pub(crate) cap: u32,
    pub(crate) flags: u32,
    pub(crate) next_free: i64,
    /// Internal pointer: position of the current element (may stand on a removed one: then the next live one is meant).
    pub(crate) pos: u32,
    /// Size of the index minus 1; 0 without index.
    pub(crate) mask: u32,
}

/// One element of a hash array.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bucket {
    pub(crate) value: Raw,
    /// Null for an int key.
    pub(crate) key: *mut StrHeader,
    /// The int key, or the string's hash.
    pub(crate) h: u64,
}

impl ArrayHeader {
    #[inline(always)]
    pub(crate) fn is_packed(&self) -> bool {
        self.flags & PACKED != 0
    }
    #[inline(always)]
    pub(crate) fn packed(&self) -> *mut Raw {
        self.data.cast()
    }
    #[inline(always)]
    pub(crate) fn buckets(&self) -> *mut Bucket {
        self.data.cast()
    }
    #[inline(always)]
    fn index(&self) -> *mut u32 {
        self.data.wrapping_add(self.cap as usize * size_of::<Bucket>()).cast()
    }
    /// The value at position `at < used`.
    #[inline(always)]
    pub(crate) fn value_ptr(&self, at: u32) -> *mut Raw {
        if self.is_packed() {
            self.packed().wrapping_add(at as usize)
        } else {
            self.buckets().wrapping_add(at as usize).cast()
        }
    }
}

#[inline(always)]
fn alloc(bytes: usize) -> *mut u8 {
    heap::alloc(bytes).as_ptr()
}

unsafe fn free_bytes(data: *mut u8, bytes: usize) {
    // SAFETY: the caller gives up a block of this size, which is not null.
    unsafe { heap::free(NonNull::new_unchecked(data), bytes) }
}

/// A key's pointer seen as the handle that it is.
#[inline(always)]
pub(crate) unsafe fn key_str(key: &*mut StrHeader) -> &PStr {
    // SAFETY: `PStr` is transparent over the pointer; the key is not null.
    unsafe { &*(&raw const *key).cast::<PStr>() }
}

#[inline(always)]
pub(crate) unsafe fn release_key(key: *mut StrHeader) {
    // SAFETY: the bucket's count of the key is given back.
    drop(unsafe { PStr::from_ptr(key) });
}

#[inline(always)]
pub(crate) unsafe fn add_ref_key(key: *mut StrHeader) {
    // SAFETY: the key is live; the new count is the bucket's.
    std::mem::forget(unsafe { PStr::share(key) });
}

fn index_size(cap: u32) -> u32 {
    if cap > LINEAR_MAX { (cap * 2).next_power_of_two() } else { 0 }
}

fn hash_bytes(cap: u32) -> usize {
    cap as usize * size_of::<Bucket>() + index_size(cap) as usize * 4
}

/// Where the search for a hash begins. Four ints that follow each other (and strings that count: [`crate::hash`]) lie side by side, in one cache line; the groups
/// are scattered, because long runs would make everything that falls among them search to their end.
#[inline(always)]
fn slot_of(h: u64, mask: u32) -> u32 {
    let group = (h >> 2).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 30;
    (group as u32 & !3 | h as u32 & 3) & mask
}

fn check_size(cap: u64) -> u32 {
    if cap > MAX_ELEMENTS {
        heap::too_large(cap.saturating_mul(32) as usize);
    }
    cap as u32
}

/// A new header without storage, count 1.
pub(crate) fn new_header() -> *mut ArrayHeader {
    let a: *mut ArrayHeader = alloc(size_of::<ArrayHeader>()).cast();
    // SAFETY: fresh memory of that size.
    unsafe {
        a.write(ArrayHeader {
            header: Header::new(Kind::Array, 0),
            data: ptr::null_mut(),
            used: 0,
            count: 0,
            cap: 0,
            flags: PACKED,
            next_free: i64::MIN,
            pos: 0,
            mask: 0,
        });
    }
    a
}

fn data_bytes(a: &ArrayHeader) -> usize {
    if a.cap == 0 {
        0
    } else if a.is_packed() {
        a.cap as usize * size_of::<Raw>()
    } else {
        hash_bytes(a.cap)
    }
}

/// Releases storage, not elements.
unsafe fn free_data(a: *mut ArrayHeader) {
    // SAFETY: the caller owns the array; `data` has these bytes.
    unsafe {
        let bytes = data_bytes(&*a);
        if bytes != 0 {
            free_bytes((*a).data, bytes);
        }
    }
}

/// Releases all elements and the array itself (its count is 0).
///
/// # Safety
/// `a` is an array of this heap that nothing refers to any more.
pub(crate) unsafe fn free(a: *mut ArrayHeader) {
    // SAFETY: as promised; elements are released while the array is unreachable.
    unsafe {
        release_elements(a);
        if (*a).flags & ITERATED != 0 {
            super::iterators::freed(a);
        }
        free_data(a);
        free_bytes(a.cast(), size_of::<ArrayHeader>());
    }
}

/// # Safety
/// As [`free`]: the array is owned by the caller.
pub(crate) unsafe fn release_elements(a: *mut ArrayHeader) {
    // SAFETY: positions below `used` are initialised.
    unsafe {
        let head = &*a;
        if head.is_packed() {
            for n in 0..head.used as usize {
                (*head.packed().add(n)).release();
            }
        } else {
            for n in 0..head.used as usize {
                let b = &*head.buckets().add(n);
                if b.value.tag != UNDEF {
                    b.value.release();
                    if !b.key.is_null() {
                        release_key(b.key);
                    }
                }
            }
        }
    }
}

/// Calls `f` for every element (for the cycle collector).
///
/// # Safety
/// `a` is a live array.
pub(crate) unsafe fn trace(a: *mut ArrayHeader, f: &mut dyn FnMut(*mut Raw)) {
    // SAFETY: positions below `used` are initialised.
    unsafe {
        for n in 0..(*a).used {
            f((*a).value_ptr(n));
        }
    }
}

/// Makes room for `cap` packed elements.
///
/// # Safety
/// `a` is packed and owned (count 1).
pub(crate) unsafe fn grow_packed(a: *mut ArrayHeader, cap: u64) {
    let cap = check_size(cap.max(8));
    let bytes = cap as usize * size_of::<Raw>();
    // SAFETY: the array's storage has its number of bytes; large blocks often grow in place.
    unsafe {
        let old = data_bytes(&*a);
        let data = match NonNull::new((*a).data) {
            Some(data) if old != 0 => heap::realloc(data, old, bytes),
            _ => heap::alloc(bytes),
        };
        (*a).data = data.as_ptr();
        (*a).cap = cap;
    }
}

/// Rebuilds a hash array with room for `cap` buckets, without its removed ones.
///
/// # Safety
/// `a` is a hash array and owned.
pub(crate) unsafe fn grow_hash(a: *mut ArrayHeader, cap: u64) {
    let cap = check_size(cap.max(8));
    let data = alloc(hash_bytes(cap));
    // SAFETY: live buckets fit, since count <= cap.
    unsafe {
        let buckets: *mut Bucket = data.cast();
        let head = &*a;
        let mut n = 0u32;
        let mut pos = None;
        for at in 0..head.used {
            if at == head.pos {
                pos = Some(n);
            }
            let b = *head.buckets().add(at as usize);
            if b.value.tag != UNDEF {
                buckets.add(n as usize).write(b);
                n += 1;
            }
        }
        if head.flags & ITERATED != 0 && n != head.used {
            super::iterators::compacted(a);
        }
        free_data(a);
        let head = &mut *a;
        head.pos = pos.unwrap_or(n);
        head.data = data;
        head.cap = cap;
        head.used = n;
        rebuild_index(head);
    }
}

/// # Safety
/// `head` is a hash array whose storage has its index part.
unsafe fn rebuild_index(head: &mut ArrayHeader) {
    let size = index_size(head.cap);
    head.mask = size.saturating_sub(1);
    if size == 0 {
        return;
    }
    // SAFETY: the index has `size` entries behind the buckets.
    unsafe {
        let index = head.index();
        ptr::write_bytes(index, 0xff, size as usize);
        for at in 0..head.used {
            let b = &*head.buckets().add(at as usize);
            if b.value.tag == UNDEF {
                continue;
            }
            let mut slot = slot_of(b.h, head.mask);
            while *index.add(slot as usize) != EMPTY_SLOT {
                slot = (slot + 1) & head.mask;
            }
            *index.add(slot as usize) = at;
        }
    }
}

/// Packed to hash form, with room for `extra` more elements.
///
/// # Safety
/// `a` is packed and owned.
pub(crate) unsafe fn to_hash(a: *mut ArrayHeader, extra: u32) {
    // SAFETY: allocation first, then the change; positions stay the same (removed ones become removed buckets).
    unsafe {
        let head = &*a;
        let cap = check_size(((head.used as u64 + extra as u64).max(8)).next_power_of_two());
        let data = alloc(hash_bytes(cap));
        let buckets: *mut Bucket = data.cast();
        for at in 0..head.used {
            let value = *head.packed().add(at as usize);
            buckets.add(at as usize).write(Bucket { value, key: ptr::null_mut(), h: at as u64 });
        }
        free_data(a);
        let head = &mut *a;
        head.data = data;
        head.cap = cap;
        head.flags &= !PACKED;
        rebuild_index(head);
    }
}

/// Position of int key.
///
/// # Safety
/// `a` is a live array.
#[inline]
pub(crate) unsafe fn find_int(a: &ArrayHeader, key: i64) -> Option<u32> {
    // SAFETY: positions below `used` are initialised.
    unsafe {
        if a.is_packed() {
            if (key as u64) < a.used as u64 && (*a.packed().add(key as usize)).tag != UNDEF {
                return Some(key as u32);
            }
            return None;
        }
        find_hash(a, key as u64, |b| b.key.is_null())
    }
}

/// Position of a string key, by hash and bytes.
///
/// # Safety
/// `a` is a live array.
#[inline]
pub(crate) unsafe fn find_bytes(a: &ArrayHeader, h: u64, bytes: &[u8]) -> Option<u32> {
    if a.is_packed() {
        return None;
    }
    // SAFETY: live buckets' keys are live strings.
    unsafe { find_hash(a, h, |b| !b.key.is_null() && key_str(&b.key).as_bytes() == bytes) }
}

/// Position of a string key; equal pointers need no comparison of bytes.
///
/// # Safety
/// `a` is a live array, `key` a live string.
#[inline]
pub(crate) unsafe fn find_str(a: &ArrayHeader, key: *mut StrHeader) -> Option<u32> {
    if a.is_packed() {
        return None;
    }
    // SAFETY: as promised.
    unsafe {
        let k = key_str(&key);
        let h = k.hash();
        find_hash(a, h, |b| same_key(b.key, key))
    }
}

/// As [`find_str`] for paths that must not call: the key's hash is known, the array a hash table.
///
/// # Safety
/// As [`find_str`].
#[inline(always)]
pub(crate) unsafe fn find_hashed_str(a: &ArrayHeader, key: *mut StrHeader, h: u64) -> *mut Raw {
    // SAFETY: as promised; a found position is live.
    unsafe { find_hash(a, h, |b| same_key(b.key, key)).map_or(ptr::null_mut(), |at| a.buckets().wrapping_add(at as usize).cast()) }
}

/// As [`find_hashed_str`], told by the pointers of keys alone; [`UNTOLD`]: there is a key of the same hash that is another string, which may be the same text.
///
/// # Safety
/// As [`find_hashed_str`].
#[inline(always)]
pub(crate) unsafe fn find_known_str(a: &ArrayHeader, key: *mut StrHeader, h: u64) -> *mut Raw {
    // SAFETY: as promised.
    unsafe {
        find_hash(a, h, |_| true).map_or(ptr::null_mut(), |at| {
            let b = &*a.buckets().add(at as usize);
            if ptr::eq(b.key, key) { (&raw const b.value).cast_mut() } else { UNTOLD }
        })
    }
}

/// No place of a value.
pub const UNTOLD: *mut Raw = ptr::without_provenance_mut(align_of::<Raw>());

/// Is a bucket's key this string?
#[inline(always)]
unsafe fn same_key(theirs: *mut StrHeader, key: *mut StrHeader) -> bool {
    // SAFETY: the key is a live string, and so is a bucket's unless it is null.
    unsafe {
        ptr::eq(theirs, key)
            || !theirs.is_null() && (*theirs).len == (*key).len && same_bytes(bytes_of(theirs), bytes_of(key), (*key).len)
    }
}

#[inline(always)]
unsafe fn find_hash(a: &ArrayHeader, h: u64, same: impl Fn(&Bucket) -> bool) -> Option<u32> {
    // SAFETY: index entries are positions below `used`.
    unsafe {
        let buckets = a.buckets();
        if a.mask == 0 {
            for at in 0..a.used {
                let b = &*buckets.add(at as usize);
                if b.h == h && b.value.tag != UNDEF && same(b) {
                    return Some(at);
                }
            }
            return None;
        }
        let index = a.index();
        let mut slot = slot_of(h, a.mask);
        loop {
            let at = *index.add(slot as usize);
            if at == EMPTY_SLOT {
                return None;
            }
            let b = &*buckets.add(at as usize);
            if b.h == h && same(b) {
                return Some(at);
            }
            slot = (slot + 1) & a.mask;
        }
    }
}

/// Appends a bucket for a key that is not there; returns its position. Takes over `value` and a count of `key`.
///
/// # Safety
/// `a` is a hash array and owned; the key is not in it.
pub(crate) unsafe fn add_bucket(a: *mut ArrayHeader, key: *mut StrHeader, h: u64, value: Raw) -> u32 {
    // SAFETY: there is room after growing; the index always has free slots, being twice the capacity.
    unsafe {
        if (*a).used == (*a).cap {
            let head = &*a;
            // Many removed buckets: the same size again does.
            let want = if head.count < head.used - head.used / 4 { head.cap as u64 } else { head.cap as u64 * 2 };
            grow_hash(a, want);
        }
        let head = &mut *a;
        let at = head.used;
        head.buckets().add(at as usize).write(Bucket { value, key, h });
        if head.mask != 0 {
            let index = head.index();
            let mut slot = slot_of(h, head.mask);
            while *index.add(slot as usize) != EMPTY_SLOT {
                slot = (slot + 1) & head.mask;
            }
            *index.add(slot as usize) = at;
        }
        head.used += 1;
        head.count += 1;
        if key.is_null() {
            let int = h as i64;
            if int >= head.next_free {
                head.next_free = int.saturating_add(1);
            }
            if int == i64::MAX {
                head.next_free = i64::MAX;
                head.flags |= FULL;
            }
        }
        at
    }
}

/// The largest int key is taken: no element can be appended.
pub(crate) const FULL: u32 = 2;
/// A `foreach` by reference stands in this array: its position follows compaction.
pub(crate) const ITERATED: u32 = 4;

/// PHP has this array as a hash table, whatever its keys are: the key that comes next never goes back.
pub(crate) const HASHED: u32 = 8;

/// Takes position `at` out of the index, moving the entries behind it up so that probing needs no marks.
///
/// # Safety
/// `head` has an index that contains `at` under `h`.
unsafe fn remove_from_index(head: &ArrayHeader, at: u32, h: u64) {
    // SAFETY: slots are within the index, entries are positions of buckets.
    unsafe {
        let index = head.index();
        let mask = head.mask;
        let mut hole = slot_of(h, mask);
        while *index.add(hole as usize) != at {
            hole = (hole + 1) & mask;
        }
        let mut slot = hole;
        loop {
            slot = (slot + 1) & mask;
            let entry = *index.add(slot as usize);
            if entry == EMPTY_SLOT {
                break;
            }
            let home = slot_of((*head.buckets().add(entry as usize)).h, mask);
            // The entry may move up unless its home lies behind the hole (cyclically).
            if (slot.wrapping_sub(home) & mask) >= (slot.wrapping_sub(hole) & mask) {
                *index.add(hole as usize) = entry;
                hole = slot;
            }
        }
        *index.add(hole as usize) = EMPTY_SLOT;
    }
}

/// Takes the element at `at` out; the caller owns the returned value.
///
/// # Safety
/// `a` is owned and `at` a live position.
pub(crate) unsafe fn take_at(a: *mut ArrayHeader, at: u32) -> Raw {
    // SAFETY: as promised.
    unsafe {
        let head = &mut *a;
        let slot = head.value_ptr(at);
        let value = *slot;
        (*slot).tag = UNDEF;
        head.count -= 1;
        if !head.is_packed() {
            let h = (*head.buckets().add(at as usize)).h;
            if head.mask != 0 {
                remove_from_index(head, at, h);
            }
            let b = &mut *head.buckets().add(at as usize);
            let key = std::mem::replace(&mut b.key, ptr::null_mut());
            if !key.is_null() {
                release_key(key);
            }
        }
        // Trailing holes go, so that append-and-pop stacks do not grow.
        while head.used > 0 && (*head.value_ptr(head.used - 1)).tag == UNDEF {
            head.used -= 1;
        }
        head.pos = head.pos.min(head.used);
        if head.flags & ITERATED != 0 {
            super::iterators::shortened(a);
        }
        value
    }
}

/// A copy with its own storage: elements counted, references whose count is 1 unwrapped.
///
/// # Safety
/// `a` is a live array.
pub(crate) unsafe fn duplicate(a: *const ArrayHeader) -> *mut ArrayHeader {
    // SAFETY: as promised; the copy's elements are counted here.
    unsafe {
        let to = duplicate_uncounted(a);
        let head = &mut *to;
        if head.is_packed() {
            for n in 0..head.used as usize {
                copy_element(head.packed().add(n), a);
            }
        } else {
            for n in 0..head.used as usize {
                let b = &mut *head.buckets().add(n);
                if b.value.tag != UNDEF {
                    copy_element(&mut b.value, a);
                    if !b.key.is_null() {
                        add_ref_key(b.key);
                    }
                }
            }
        }
        if (*a).flags & ITERATED != 0 {
            super::iterators::copied(a, to);
        }
        to
    }
}

/// As [`duplicate`], bit by bit: keys and values have no count of the copy's.
///
/// # Safety
/// `a` is a live array; what is counted in it the caller counts for the copy.
pub(crate) unsafe fn duplicate_uncounted(a: *const ArrayHeader) -> *mut ArrayHeader {
    // SAFETY: copies `used` initialised positions into storage of the same capacity.
    unsafe {
        let from = &*a;
        let to = new_header();
        let cap = if from.is_packed() { from.used.max(8).next_power_of_two() } else { from.cap };
        if from.cap != 0 {
            let bytes = if from.is_packed() { cap as usize * size_of::<Raw>() } else { hash_bytes(cap) };
            let data = alloc(bytes);
            if from.is_packed() {
                ptr::copy_nonoverlapping(from.data, data, from.used as usize * size_of::<Raw>());
            } else {
                ptr::copy_nonoverlapping(from.data, data, from.used as usize * size_of::<Bucket>());
                let used = cap as usize * size_of::<Bucket>();
                ptr::copy_nonoverlapping(from.data.add(used), data.add(used), bytes - used);
            }
            let head = &mut *to;
            head.data = data;
            head.cap = cap;
        }
        let head = &mut *to;
        head.used = from.used;
        head.count = from.count;
        head.flags = from.flags & !ITERATED;
        head.next_free = from.next_free;
        // PHP's copy starts anew when the pointer was past the end.
        head.pos = if from.pos < from.used { from.pos } else { 0 };
        head.mask = from.mask;
        to
    }
}

#[inline(always)]
unsafe fn copy_element(slot: *mut Raw, from: *const ArrayHeader) {
    // SAFETY: the slot holds a bitwise copy of a live element.
    unsafe {
        let value = *slot;
        if value.is_ref() && value.header().is_unique() {
            let inner = value.deref();
            // An array that contains a reference to itself keeps the reference.
            if !(inner.is_array() && ptr::eq(inner.bits as *const ArrayHeader, from)) {
                inner.add_ref();
                *slot = inner;
                return;
            }
        }
        value.add_ref();
    }
}
