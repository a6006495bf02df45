//! Positions of `foreach` by reference: they must survive growth, compaction and separation of the array they stand in.
//!
//! A table of the thread: entries name arrays by address, which is unique among the heaps of a thread. The engine drops the
//! entries of an instance with [`forget`] when the instance ends.

use super::storage::{ArrayHeader, ITERATED};
use crate::raw::tag;
use std::cell::RefCell;

struct Entry {
    array: *const ArrayHeader,
    position: u32,
    /// Which heap the iteration belongs to; 0: free entry.
    owner: usize,
}

thread_local! {
    static TABLE: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// Starts an iteration at `position`; returns its number.
pub fn start(array: *mut ArrayHeader, position: u32, owner: usize) -> usize {
    mark(array);
    TABLE.with_borrow_mut(|table| {
        let entry = Entry { array, position, owner: owner.max(1) };
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

fn mark(array: *mut ArrayHeader) {
    // SAFETY: the array is live; an immortal one is never iterated by reference, since that separates it first.
    unsafe {
        if (*array).cap != 0 {
            (*array).flags |= ITERATED;
        }
    }
}

/// The position of iteration `n`, which goes on in `array` (a separated copy keeps its positions).
pub fn position(n: usize, array: *mut ArrayHeader) -> u32 {
    TABLE.with_borrow_mut(|table| match table.get_mut(n) {
        Some(entry) => {
            if !std::ptr::eq(entry.array, array) {
                entry.array = array;
            }
            mark(array);
            entry.position
        }
        None => u32::MAX,
    })
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
