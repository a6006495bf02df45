//! A table of live things by number: PHP's object handles, and the list of live resources.
//!
//! Numbers start at 1; a freed number is the next one given, the most recently freed first, as in PHP.

use crate::pages::Pages;
use std::cell::{Cell, UnsafeCell};

pub(crate) struct Store<T> {
    /// Entry `n - 1` belongs to number `n`: a pointer, or when free the next free number shifted left with bit 0 set.
    ///
    /// No method lets a borrow of it out or calls anything else meanwhile, so the borrows below never meet.
    entries: UnsafeCell<Vec<usize>>,
    free: Cell<u32>,
    /// Freed numbers are not given again.
    append_only: Cell<bool>,
    live: Cell<u32>,
    _things: std::marker::PhantomData<*mut T>,
}

/// Room that a table begins with, and keeps from one request to the next.
const FIRST_ENTRIES: usize = 1024;

/// An entry of a number that no thing has.
const RESERVED: usize = 2;

fn is_live(entry: usize) -> bool {
    entry & 1 == 0 && entry != RESERVED
}

impl<T> Store<T> {
    pub const fn new() -> Store<T> {
        Store { entries: UnsafeCell::new(Vec::new()), free: Cell::new(0), append_only: Cell::new(false), live: Cell::new(0), _things: std::marker::PhantomData }
    }
    /// Memory that the table takes is counted by `pages`.
    pub fn insert(&self, thing: *mut T, pages: &Pages) -> u32 {
        let entry = thing.expose_provenance();
        debug_assert!(entry & 1 == 0);
        // SAFETY: no other borrow is alive (see the field).
        let entries = unsafe { &mut *self.entries.get() };
        if entries.len() == entries.capacity() {
            let more = entries.capacity();
            // Before anything is changed: exceeding the limit unwinds. What every request has is not counted.
            pages.charge(more * size_of::<usize>());
            if entries.try_reserve_exact(more.max(FIRST_ENTRIES)).is_err() {
                pages.uncharge(more * size_of::<usize>());
                pages.unwind(pages.refuse(more * size_of::<usize>(), true));
            }
        }
        self.live.set(self.live.get() + 1);
        let number = if self.append_only.get() { 0 } else { self.free.get() };
        if let Some(place) = (number as usize).checked_sub(1).and_then(|i| entries.get_mut(i)) {
            self.free.set((*place >> 1) as u32);
            *place = entry;
            number
        } else {
            entries.push(entry);
            entries.len() as u32
        }
    }
    /// Takes a number for something that is no thing of the table (PHP gives iterations handles, too): [`remove`](Store::remove) gives it
    /// back, and nothing else finds it.
    pub fn reserve(&self, pages: &Pages) -> u32 {
        let number = self.insert(std::ptr::null_mut(), pages);
        // SAFETY: no other borrow is alive (see the field).
        if let Some(place) = (number as usize).checked_sub(1).and_then(|i| unsafe { &mut *self.entries.get() }.get_mut(i)) {
            *place = RESERVED;
        }
        number
    }
    /// The thing of this number is gone, the number is not to be given again before it is removed.
    pub fn keep(&self, number: u32) {
        // SAFETY: no other borrow is alive (see the field).
        if let Some(place) = (number as usize).checked_sub(1).and_then(|i| unsafe { &mut *self.entries.get() }.get_mut(i)) {
            *place = RESERVED;
        }
    }
    pub fn remove(&self, number: u32) {
        // SAFETY: no other borrow is alive (see the field).
        let entries = unsafe { &mut *self.entries.get() };
        if let Some(place) = (number as usize).checked_sub(1).and_then(|i| entries.get_mut(i)) {
            *place = (self.free.get() as usize) << 1 | 1;
            self.free.set(number);
            self.live.set(self.live.get() - 1);
        }
    }
    pub fn get(&self, number: u32) -> Option<*mut T> {
        // SAFETY: as above.
        let entry = *unsafe { &*self.entries.get() }.get((number as usize).checked_sub(1)?)?;
        is_live(entry).then(|| std::ptr::with_exposed_provenance_mut(entry))
    }
    /// The live thing with the least number above this one.
    pub fn after(&self, number: u32) -> Option<*mut T> {
        // SAFETY: as above.
        let entries = unsafe { &*self.entries.get() };
        let entry = entries.get(number as usize..)?.iter().copied().find(|entry| is_live(*entry))?;
        Some(std::ptr::with_exposed_provenance_mut(entry))
    }
    /// The live things in the order of their numbers. The table may change on the way.
    pub fn all(&self) -> impl Iterator<Item = *mut T> {
        let mut index = 0;
        std::iter::from_fn(move || {
            // SAFETY: as above: the borrow ends before the caller goes on.
            let entries = unsafe { &*self.entries.get() };
            while let Some(&entry) = entries.get(index) {
                index += 1;
                if is_live(entry) {
                    return Some(std::ptr::with_exposed_provenance_mut(entry));
                }
            }
            None
        })
    }
    pub fn live(&self) -> usize {
        self.live.get() as usize
    }
    /// From now on each thing gets a number behind all others.
    pub fn append_only(&self) {
        self.append_only.set(true);
    }
    /// Forgets everything; numbers start again.
    pub fn reset(&self) {
        // SAFETY: as above.
        let entries = unsafe { &mut *self.entries.get() };
        entries.clear();
        entries.shrink_to(FIRST_ENTRIES);
        self.free.set(0);
        self.append_only.set(false);
        self.live.set(0);
    }
}
