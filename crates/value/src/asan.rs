//! The request heap under AddressSanitizer (`cargo xtask test --asan` builds with `--cfg jumbo_asan`): the heap tells the sanitizer which
//! of its memory is free, so that every use of a freed value is reported. Without the sanitizer all of this is nothing.

/// Is the program built for AddressSanitizer?
pub(crate) const ON: bool = cfg!(jumbo_asan);

#[cfg(jumbo_asan)]
mod on {
    use std::cell::{Cell, RefCell};
    use std::collections::VecDeque;
    use std::ptr::NonNull;

    // SAFETY: the sanitizer's runtime has both functions, with these signatures.
    unsafe extern "C" {
        fn __asan_poison_memory_region(address: *const u8, size: usize);
        fn __asan_unpoison_memory_region(address: *const u8, size: usize);
    }

    pub fn poison(address: usize, bytes: usize) {
        // SAFETY: only the sanitizer's own notes change; the memory is the heap's.
        unsafe { __asan_poison_memory_region(address as *const u8, bytes) }
    }
    pub fn unpoison(address: usize, bytes: usize) {
        // SAFETY: as above.
        unsafe { __asan_unpoison_memory_region(address as *const u8, bytes) }
    }

    /// Freed small blocks that are not used again yet, oldest first: the longer they wait, the longer a dangling pointer is noticed.
    pub struct Quarantine {
        blocks: RefCell<VecDeque<(NonNull<u8>, u8)>>,
        bytes: Cell<usize>,
    }

    const MOST_BYTES: usize = 16 << 20;

    impl Quarantine {
        pub fn new() -> Quarantine {
            Quarantine { blocks: RefCell::new(VecDeque::new()), bytes: Cell::new(0) }
        }
        /// Takes a block in; gives out the oldest one when there are too many.
        pub fn push(&self, block: NonNull<u8>, class: u8, size: usize) -> Option<(NonNull<u8>, u8)> {
            let mut blocks = self.blocks.borrow_mut();
            blocks.push_back((block, class));
            self.bytes.set(self.bytes.get() + size);
            if self.bytes.get() <= MOST_BYTES {
                return None;
            }
            let (old, class) = blocks.pop_front()?;
            self.bytes.set(self.bytes.get() - crate::pages::CLASS_SIZES[class as usize] as usize);
            Some((old, class))
        }
        /// Drops the blocks of a range that is given back.
        pub fn forget(&self, start: usize, bytes: usize) {
            self.blocks.borrow_mut().retain(|(b, _)| b.as_ptr().addr().wrapping_sub(start) >= bytes);
        }
        pub fn clear(&self) {
            self.blocks.borrow_mut().clear();
            self.bytes.set(0);
        }
    }
}

#[cfg(not(jumbo_asan))]
mod on {
    use std::ptr::NonNull;

    #[inline(always)]
    pub fn poison(_address: usize, _bytes: usize) {}
    #[inline(always)]
    pub fn unpoison(_address: usize, _bytes: usize) {}

    pub struct Quarantine;

    impl Quarantine {
        pub const fn new() -> Quarantine {
            Quarantine
        }
        #[inline(always)]
        pub fn push(&self, _block: NonNull<u8>, _class: u8, _size: usize) -> Option<(NonNull<u8>, u8)> {
            None
        }
        #[inline(always)]
        pub fn forget(&self, _start: usize, _bytes: usize) {}
        #[inline(always)]
        pub fn clear(&self) {}
    }
}

pub(crate) use on::{Quarantine, poison, unpoison};
