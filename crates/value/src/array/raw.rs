//! Unchecked array operations for the interpreter and native code: they work on pointers to headers and to value slots.
//!
//! A returned slot pointer is good until the next insertion into or removal from the array.

use super::storage::{self, ArrayHeader, FULL};
use crate::raw::{Raw, tag};
use crate::string::{StrHeader, bytes_of};
use std::ptr;

pub use super::storage::{Bucket, UNTOLD};

/// The value of an integer key of a packed array; null when it is missing or the array is a hash table. For paths that must not call.
///
/// # Safety
/// `a` is a live array.
#[inline(always)]
pub unsafe fn find_packed(a: *const ArrayHeader, key: i64) -> *mut Raw {
    // SAFETY: as promised.
    unsafe {
        let head = &*a;
        if head.is_packed() && (key as u64) < head.used as u64 {
            let slot = head.packed().add(key as usize);
            if (*slot).tag != tag::UNDEF {
                return slot;
            }
        }
        ptr::null_mut()
    }
}

/// The hash of a string key that is no number; 0 when that cannot be told without a call: the hash is not computed yet, or there may be a number.
///
/// # Safety
/// `key` is a live string.
#[inline(always)]
pub unsafe fn symbol_hash(key: *const StrHeader) -> u64 {
    // SAFETY: as promised; every string has a first byte, if only its NUL.
    unsafe { if *bytes_of(key) <= b'9' { 0 } else { (*key).hash.get() } }
}

/// The value of the string key with this [`symbol_hash`], which is not 0; null when it is missing. For paths that must not call.
///
/// # Safety
/// `a` is a live array, `key` a live string.
#[inline(always)]
pub unsafe fn find_symbol(a: *const ArrayHeader, key: *mut StrHeader, hash: u64) -> *mut Raw {
    // SAFETY: as promised.
    unsafe { if (*a).is_packed() { ptr::null_mut() } else { storage::find_hashed_str(&*a, key, hash) } }
}

/// As [`find_symbol`], told by the pointers of keys alone; [`UNTOLD`]: ask [`find_symbol`].
///
/// # Safety
/// As [`find_symbol`].
#[inline(always)]
pub unsafe fn find_known_symbol(a: *const ArrayHeader, key: *mut StrHeader, hash: u64) -> *mut Raw {
    // SAFETY: as promised.
    unsafe { if (*a).is_packed() { ptr::null_mut() } else { storage::find_known_str(&*a, key, hash) } }
}

/// Stores an uncounted value under an int key of a packed array: over an uncounted one, or behind the last one when there is room. False: it was something
/// else, and nothing was done. For paths that must not call.
///
/// # Safety
/// `a` is an owned array.
#[inline(always)]
pub unsafe fn store_packed(a: *mut ArrayHeader, key: i64, value: Raw) -> bool {
    // SAFETY: as promised; slots below `used` are initialised.
    unsafe {
        let head = &*a;
        if !head.is_packed() {
            return false;
        }
        if key as u64 >= head.used as u64 {
            return append_packed(a, key, value);
        }
        let slot = head.packed().add(key as usize);
        let is_simple = (*slot).tag != tag::UNDEF && !(*slot).is_counted();
        if is_simple {
            *slot = value;
        }
        is_simple
    }
}

/// Appends a value, with its count, under the key that comes next to a packed array that has room for it; false: it was something else, and
/// nothing was done. For paths that must not call.
///
/// # Safety
/// `a` is an owned array.
#[inline(always)]
pub unsafe fn append_packed(a: *mut ArrayHeader, key: i64, value: Raw) -> bool {
    // SAFETY: as promised; the slot behind the last one is within the capacity.
    unsafe {
        let head = &mut *a;
        let fits = head.is_packed() && key == head.used as i64 && head.used < head.cap && head.next_free == key;
        if fits {
            *head.packed().add(key as usize) = value;
            head.used += 1;
            head.count += 1;
            head.next_free = key + 1;
        }
        fits
    }
}

/// Value slot of an int key, or null.
///
/// # Safety
/// `a` is a live array.
#[inline(always)]
pub unsafe fn find_int(a: *const ArrayHeader, key: i64) -> *mut Raw {
    // SAFETY: as promised; the packed case needs no call.
    unsafe {
        let head = &*a;
        if head.is_packed() {
            if (key as u64) < head.used as u64 {
                let slot = head.packed().add(key as usize);
                if (*slot).tag != tag::UNDEF {
                    return slot;
                }
            }
            return ptr::null_mut();
        }
        find_int_hash(head, key)
    }
}

#[inline(never)]
unsafe fn find_int_hash(head: &ArrayHeader, key: i64) -> *mut Raw {
    // SAFETY: a found position is live.
    unsafe { storage::find_int(head, key).map_or(ptr::null_mut(), |at| head.value_ptr(at)) }
}

/// Value slot of a string key (no number), or null.
///
/// # Safety
/// `a` is a live array, `key` a live string.
#[inline]
pub unsafe fn find_str(a: *const ArrayHeader, key: *mut StrHeader) -> *mut Raw {
    // SAFETY: a found position is live.
    unsafe { storage::find_str(&*a, key).map_or(ptr::null_mut(), |at| (*a).value_ptr(at)) }
}

/// Value slot of an int key, inserted as null when missing.
///
/// # Safety
/// `a` is owned (count 1, not immortal).
#[inline]
pub unsafe fn find_or_insert_int(a: *mut ArrayHeader, key: i64) -> *mut Raw {
    // SAFETY: as promised.
    unsafe {
        let slot = find_int(a, key);
        if slot.is_null() { insert_int(a, key) } else { slot }
    }
}

#[inline(never)]
unsafe fn insert_int(a: *mut ArrayHeader, key: i64) -> *mut Raw {
    let null = Raw::NULL;
    // SAFETY: the key is not there; storage grows before it is written.
    unsafe {
        let head = &mut *a;
        if head.is_packed() {
            let used = head.used as i64;
            // A hole in the middle may not be filled: the new element comes last in order. What lies behind the last one keeps the array
            // packed, with holes in a gap, as long as the table that PHP would have has room for it, or half of its double.
            let size = u64::from(head.cap.max(8)).next_power_of_two();
            let index = key as u64;
            if key >= used && (index < size || index / 2 < size && size / 2 < u64::from(head.count)) {
                if index >= u64::from(head.cap) {
                    storage::grow_packed(a, if index < size { size } else { size * 2 });
                }
                let head = &mut *a;
                for n in used..key {
                    (*head.packed().add(n as usize)).tag = tag::UNDEF;
                }
                let slot = head.packed().add(key as usize);
                *slot = null;
                head.used = key as u32 + 1;
                head.count += 1;
                // Also where it was larger, for elements that have been removed since: as in PHP, whose hash arrays do not go back.
                head.next_free = if head.flags & storage::HASHED == 0 { key + 1 } else { head.next_free.max(key + 1) };
                return slot;
            }
            storage::to_hash(a, 1);
        }
        let at = storage::add_bucket(a, ptr::null_mut(), key as u64, null);
        (*a).value_ptr(at)
    }
}

/// Value slot of a string key (no number), inserted as null when missing.
///
/// # Safety
/// `a` is owned, `key` a live string.
#[inline]
pub unsafe fn find_or_insert_str(a: *mut ArrayHeader, key: *mut StrHeader) -> *mut Raw {
    // SAFETY: as promised; the bucket gets its own count of the key.
    unsafe {
        let slot = find_str(a, key);
        if !slot.is_null() {
            return slot;
        }
        insert_str(a, key)
    }
}

/// Value slot of a string key (no number) that is not there, inserted as null.
///
/// # Safety
/// `a` is owned, `key` a live string.
#[inline(never)]
pub unsafe fn insert_str(a: *mut ArrayHeader, key: *mut StrHeader) -> *mut Raw {
    // SAFETY: the key is not there; the bucket gets its own count of it.
    unsafe {
        if (*a).is_packed() {
            storage::to_hash(a, 1);
        }
        let h = storage::key_str(&key).hash();
        storage::add_ref_key(key);
        let at = storage::add_bucket(a, key, h, Raw::NULL);
        (*a).value_ptr(at)
    }
}

/// Slot of a newly appended null; a null pointer when the largest key is taken.
///
/// # Safety
/// `a` is owned.
#[inline]
pub unsafe fn push_slot(a: *mut ArrayHeader) -> *mut Raw {
    // SAFETY: room is made before the write.
    unsafe {
        let head = &mut *a;
        if head.is_packed() && (head.next_free == head.used as i64 || head.used == 0 && head.next_free <= 0) {
            if head.next_free < 0 && head.next_free != i64::MIN {
                return push_hash(a);
            }
            if head.used == head.cap {
                storage::grow_packed(a, head.cap as u64 * 2);
            }
            let head = &mut *a;
            let slot = head.packed().add(head.used as usize);
            (*slot).tag = tag::NULL;
            (*slot).bits = 0;
            head.used += 1;
            head.count += 1;
            head.next_free = head.used as i64;
            return slot;
        }
        push_hash(a)
    }
}

#[inline(never)]
unsafe fn push_hash(a: *mut ArrayHeader) -> *mut Raw {
    // SAFETY: as `push_slot`.
    unsafe {
        if (*a).flags & FULL != 0 {
            return ptr::null_mut();
        }
        let key = if (*a).next_free == i64::MIN { 0 } else { (*a).next_free };
        insert_int(a, key)
    }
}

/// Takes out an element by its slot.
///
/// # Safety
/// `a` is owned and `slot` a live slot of it. The caller owns the returned value.
pub unsafe fn take_slot(a: *mut ArrayHeader, slot: *mut Raw) -> Raw {
    // SAFETY: the slot's distance from the start gives its position.
    unsafe {
        let head = &*a;
        let bytes = slot as usize - head.data as usize;
        let at = bytes / if head.is_packed() { size_of::<Raw>() } else { size_of::<Bucket>() };
        storage::take_at(a, at as u32)
    }
}

/// A copy of an array whose keys and values are not counted (a literal of the code), with one count.
///
/// # Safety
/// `a` is such an array.
pub unsafe fn copy_uncounted(a: *const ArrayHeader) -> *mut ArrayHeader {
    // SAFETY: as promised.
    unsafe { storage::duplicate_uncounted(a) }
}

/// Makes the array in `*slot` (an array value) owned by the slot alone; returns it.
///
/// # Safety
/// `slot` holds an array value with a count of its own (or an immortal one).
#[inline(always)]
pub unsafe fn separate(slot: *mut Raw) -> *mut ArrayHeader {
    // SAFETY: as promised.
    unsafe {
        let a = (*slot).bits as *mut ArrayHeader;
        if (*a).header.is_unique() { a } else { separate_slow(slot) }
    }
}

#[cold]
#[inline(never)]
unsafe fn separate_slow(slot: *mut Raw) -> *mut ArrayHeader {
    // SAFETY: the slot's old count is given back after the copy is in place.
    unsafe {
        let old = *slot;
        let copy = storage::duplicate(old.bits as *const ArrayHeader);
        *slot = Raw { tag: tag::ARRAY_COUNTED, bits: copy as u64 };
        old.release();
        copy
    }
}

/// Elements and holes: positions go from 0 to here.
///
/// # Safety
/// `a` is a live array.
#[inline(always)]
pub unsafe fn used(a: *const ArrayHeader) -> u32 {
    // SAFETY: as promised.
    unsafe { (*a).used }
}

/// # Safety
/// `a` is a live array.
#[inline(always)]
pub unsafe fn count(a: *const ArrayHeader) -> u32 {
    // SAFETY: as promised.
    unsafe { (*a).count }
}

/// The first position from `at` on that has an element; `used(a)` or more: there is none.
///
/// # Safety
/// `a` is a live array.
#[inline(always)]
pub unsafe fn next_live(a: *const ArrayHeader, mut at: u32) -> u32 {
    // SAFETY: positions below `used` are there.
    unsafe {
        let used = used(a);
        while at < used && (*slot_at(a, at)).is_undef() {
            at += 1;
        }
        at
    }
}

/// Value slot at position `at < used(a)`; UNDEF when removed.
///
/// # Safety
/// `a` is a live array, `at` below `used(a)`.
#[inline(always)]
pub unsafe fn slot_at(a: *const ArrayHeader, at: u32) -> *mut Raw {
    // SAFETY: as promised.
    unsafe { (*a).value_ptr(at) }
}

/// Key at position `at`, as an uncounted copy: int, or string whose count stays the array's.
///
/// # Safety
/// `a` is a live array, `at` a live position.
#[inline(always)]
pub unsafe fn key_at(a: *const ArrayHeader, at: u32) -> Raw {
    // SAFETY: as promised.
    unsafe {
        if (*a).is_packed() {
            return Raw::int(at as i64);
        }
        let b = &*(*a).buckets().add(at as usize);
        if b.key.is_null() { Raw::int(b.h as i64) } else { Raw { tag: storage::key_str(&b.key).header().tag(), bits: b.key as u64 } }
    }
}
