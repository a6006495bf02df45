//! Positions of `foreach` by reference: they must survive growth, compaction and separation of the array they stand in.
//!
//! A table of the thread: entries name arrays by address, which is unique among the heaps of a thread. The engine drops the
//! entries of an instance with [`forget`] when the instance ends. An iteration that finds another array in its variable goes on at its
//! position when that is a separated copy of the one it knows, and else starts at the array's internal pointer.

use super::storage::{ArrayHeader, ITERATED};
use crate::raw::tag;
use std::cell::RefCell;

struct Entry {
    array: *const ArrayHeader,
    position: u32,
    /// Which heap the iteration belongs to; 0: free entry.
    owner: usize,
    /// Separated copies of `array`, the latest ones.
    copies: Vec<*const ArrayHeader>,
}

/// More copies of one array between two steps of a loop are not kept in mind.
const MOST_COPIES: usize = 8;

thread_local! {
    static TABLE: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// Starts an iteration at `position`; returns its number.
pub fn start(array: *mut ArrayHeader, position: u32, owner: usize) -> usize {
    mark(array);
    TABLE.with_borrow_mut(|table| {
        let entry = Entry { array, position, owner: owner.max(1), copies: Vec::new() };
        match table.iter().position(|e| e.owner == 0) {
            Some(n) => {
                table[n] = entry;
                n
            }
            None => {
                table.push(entry);
                table.len() - 1
            }
        }
    })
}

/// Starts an iteration at the array's internal pointer.
pub fn start_at_pointer(array: *mut ArrayHeader, owner: usize) -> usize {
    // SAFETY: the array is live.
    start(array, unsafe { (*array).pos }, owner)
}

fn mark(array: *mut ArrayHeader) {
    // SAFETY: the array is live; an immortal one is never iterated by reference, since that separates it first.
    unsafe {
        if (*array).cap != 0 {
            (*array).flags |= ITERATED;
        }
    }
}

/// The position of iteration `n`, which goes on in `array`.
pub fn position(n: usize, array: *mut ArrayHeader) -> u32 {
    TABLE.with_borrow_mut(|table| match table.get_mut(n) {
        Some(entry) => {
            if !std::ptr::eq(entry.array, array) {
                if !entry.copies.iter().any(|c| std::ptr::eq(*c, array)) {
                    // SAFETY: the array is live.
                    entry.position = unsafe { (*array).pos };
                }
                entry.array = array;
            }
            entry.copies.clear();
            mark(array);
            entry.position
        }
        None => u32::MAX,
    })
}

/// Does iteration `n` stand in `array`, or in what it is a copy of?
pub fn is_in(n: usize, array: *const ArrayHeader) -> bool {
    TABLE.with_borrow(|table| table.get(n).is_some_and(|entry| std::ptr::eq(entry.array, array) || entry.copies.iter().any(|c| std::ptr::eq(*c, array))))
}

/// Sets the position of iteration `n`.
pub fn set_position(n: usize, position: u32) {
    TABLE.with_borrow_mut(|table| {
        if let Some(entry) = table.get_mut(n) {
            entry.position = position;
        }
    });
}

/// Ends iteration `n`.
pub fn end(n: usize) {
    TABLE.with_borrow_mut(|table| {
        if let Some(entry) = table.get_mut(n) {
            entry.owner = 0;
        }
        while table.last().is_some_and(|e| e.owner == 0) {
            table.pop();
        }
    });
}

/// Ends all iterations of a heap.
pub fn forget(owner: usize) {
    TABLE.with_borrow_mut(|table| {
        for entry in table.iter_mut().filter(|e| e.owner == owner.max(1)) {
            entry.owner = 0;
        }
    });
}

/// `copy` is a copy of `array`: an iteration may go on in it.
pub(crate) fn copied(array: *const ArrayHeader, copy: *mut ArrayHeader) {
    let known = TABLE.with_borrow_mut(|table| {
        let mut known = false;
        for entry in table.iter_mut().filter(|e| e.owner != 0) {
            if std::ptr::eq(entry.array, array) || entry.copies.iter().any(|c| std::ptr::eq(*c, array)) {
                if entry.copies.len() == MOST_COPIES {
                    entry.copies.remove(0);
                }
                entry.copies.push(copy);
                known = true;
            }
        }
        known
    });
    if known {
        mark(copy);
    }
}

/// The array is freed: its address will be another one's.
pub(crate) fn freed(array: *const ArrayHeader) {
    // The table is gone when a thread ends with live values.
    let _ = TABLE.try_with(|table| {
        for entry in table.borrow_mut().iter_mut() {
            if std::ptr::eq(entry.array, array) {
                entry.array = std::ptr::null();
            }
            entry.copies.retain(|c| !std::ptr::eq(*c, array));
        }
    });
}

/// `new` takes the place of `old` with its elements moved: `to` says where an iteration stands that had `n` elements behind it.
pub(crate) fn moved(old: *const ArrayHeader, new: *mut ArrayHeader, to: &dyn Fn(u32) -> u32) {
    let known = TABLE.with_borrow_mut(|table| {
        let mut known = false;
        for entry in table.iter_mut().filter(|e| e.owner != 0) {
            if std::ptr::eq(entry.array, old) || entry.copies.iter().any(|c| std::ptr::eq(*c, old)) {
                // SAFETY: both arrays are live.
                let behind = unsafe { (0..entry.position.min((*old).used)).filter(|&at| (*(*old).value_ptr(at)).tag != tag::UNDEF).count() };
                entry.position = to(behind as u32);
                entry.array = new;
                entry.copies.clear();
                known = true;
            }
        }
        known
    });
    if known {
        mark(new);
    }
}

/// The array has lost its last places: nobody stands behind its end.
pub(crate) fn shortened(array: *const ArrayHeader) {
    // SAFETY: called by the owner of the array.
    let used = unsafe { (*array).used };
    TABLE.with_borrow_mut(|table| {
        for entry in table.iter_mut().filter(|e| e.owner != 0 && std::ptr::eq(e.array, array)) {
            entry.position = entry.position.min(used);
        }
    });
}

/// The array is about to lose its removed buckets: positions move down by the number of holes before them.
pub(crate) fn compacted(array: *const ArrayHeader) {
    TABLE.with_borrow_mut(|table| {
        for entry in table.iter_mut().filter(|e| e.owner != 0 && std::ptr::eq(e.array, array)) {
            // SAFETY: called by the owner of the array, before it changes.
            unsafe {
                let holes = (0..entry.position.min((*array).used)).filter(|&at| (*(*array).value_ptr(at)).tag == tag::UNDEF);
                entry.position -= holes.count() as u32;
            }
        }
    });
}
