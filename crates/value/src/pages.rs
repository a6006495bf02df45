//! The memory of one request heap: size-class free lists over runs of pages, in chunks of 2 MiB.
//!
//! A chunk is aligned to its size, so the address of a block, masked, finds the chunk's header and with it the owner. Blocks up to
//! [`MAX_SMALL`] come from free lists that are filled from runs of pages; larger ones are runs of pages of their own; those
//! that no chunk can hold are mapped alone ("huge"), behind a header page, at an aligned address too.
//!
//! Under AddressSanitizer ([`asan`]) freed memory is poisoned, and freed small blocks wait before they are used again.
//!
//! Invariants: a small block is freed with the class that it was allocated with; a large one knows its size (page map). Whatever
//! may exceed the limit is asked for before any structure is changed: being refused unwinds, or is an error that the caller handles.

use crate::asan;
use crate::heap::{Heap, MemoryLimit, OutOfMemory};
use crate::header::CLASS_LARGE;
use crate::sys;
use std::cell::{Cell, RefCell};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

pub(crate) const CHUNK: usize = 2 << 20;
const PAGE: usize = 4096;
const PAGES: usize = CHUNK / PAGE;
/// The largest block that is a run of pages.
const MAX_LARGE: usize = CHUNK - PAGE;
/// The largest block of a size class.
pub(crate) const MAX_SMALL: usize = 3072;
const CLASSES: usize = 30;

pub(crate) const CLASS_SIZES: [u16; CLASSES] = [
    8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536,
    1792, 2048, 2560, 3072,
];

/// What may still be allocated after the limit was exceeded, so that the error can be reported.
const RESERVE: usize = 4 << 20;
/// This much of what foreign allocators hold fits into free pages: PHP has it in the chunks that are counted as a whole.
const CHARGE_SLACK: usize = 512 << 10;

/// A heap with this many chunks will use up the next ones (huge pages are worth it).
const SPARSE_CHUNKS: usize = 8;

/// Bytes of freed huge blocks that a heap keeps for the next ones of the same sizes: a table that grows in a loop is mapped once.
const KEPT_HUGE_BYTES: usize = 8 << 20;

/// Chunks that a heap keeps for itself when it is reset.
const KEPT_CHUNKS: usize = 2;

/// The class of blocks for `size` bytes; [`CLASS_LARGE`] when there is none.
#[inline(always)]
pub const fn size_class(size: usize) -> u8 {
    if size <= 64 {
        if size == 0 { 0 } else { ((size - 1) >> 3) as u8 }
    } else if size <= MAX_SMALL {
        // Four classes to each doubling.
        let top = (size - 1).ilog2();
        (((size - 1) >> (top - 2)) & 3) as u8 + (top as u8 - 6) * 4 + 8
    } else {
        CLASS_LARGE as u8
    }
}

/// Pages of a run of a class: enough that little is left over at its end.
const fn run_pages(class: u8) -> usize {
    if CLASS_SIZES[class as usize] <= 1024 { 4 } else { 8 }
}

/// A free small block.
struct Free {
    next: *mut Free,
}

/// First page of a chunk, and of a huge block.
#[repr(C)]
struct Chunk {
    owner: *const Heap,
    /// Place in the owner's list of chunks or of huge blocks.
    index: usize,
    /// Mapped bytes of a huge block, this page included; zero for a chunk.
    huge_bytes: usize,
    free_pages: usize,
    /// Bit set: the page is in use.
    used: [u64; PAGES / 64],
    /// At the first page of a large block: its pages.
    run: [u16; PAGES],
}
const _: () = assert!(size_of::<Chunk>() <= PAGE);

#[inline(always)]
fn chunk_of(ptr: NonNull<u8>) -> *mut Chunk {
    let offset = ptr.as_ptr().addr() & (CHUNK - 1);
    ptr.as_ptr().wrapping_sub(offset).cast()
}

/// The heap that a block belongs to.
///
/// # Safety
/// `ptr` is a living block of some heap.
#[inline(always)]
pub(crate) unsafe fn owner_of<'a>(ptr: NonNull<u8>) -> &'a Heap {
    // SAFETY: chunks live as long as their blocks, and heaps as long as their chunks.
    unsafe { &*(*chunk_of(ptr)).owner }
}

/// The memory of one heap.
pub(crate) struct Pages {
    free: [Cell<*mut Free>; CLASSES],
    /// Unused part of the newest run of each class: next block and end.
    bump: [Cell<(*mut u8, *mut u8)>; CLASSES],
    chunks: RefCell<Vec<*mut Chunk>>,
    /// No chunk before these has a free page, four in a row, eight in a row.
    hints: [Cell<usize>; 3],
    huge: RefCell<Vec<*mut Chunk>>,
    /// Freed huge blocks, the oldest first.
    kept_huge: RefCell<Vec<*mut Chunk>>,
    /// Chunks of former requests, ready to be used.
    kept: RefCell<Vec<*mut Chunk>>,
    owner: Cell<*const Heap>,
    used: Cell<usize>,
    peak: Cell<usize>,
    real: Cell<usize>,
    real_peak: Cell<usize>,
    charged: Cell<usize>,
    limit: Cell<usize>,
    reserve: Cell<usize>,
    refusal: Cell<Option<MemoryLimit>>,
    /// Another number after every reset: charges of before are gone.
    epoch: Cell<u64>,
    /// [`Pages::real`] as other threads see it.
    footprint: Arc<AtomicUsize>,
    quarantine: asan::Quarantine,
}

impl Pages {
    pub fn new() -> Pages {
        Pages {
            free: [const { Cell::new(std::ptr::null_mut()) }; CLASSES],
            bump: [const { Cell::new((std::ptr::null_mut(), std::ptr::null_mut())) }; CLASSES],
            chunks: RefCell::new(Vec::new()),
            hints: [const { Cell::new(0) }; 3],
            huge: RefCell::new(Vec::new()),
            kept_huge: RefCell::new(Vec::new()),
            kept: RefCell::new(Vec::new()),
            owner: Cell::new(std::ptr::null()),
            used: Cell::new(0),
            peak: Cell::new(0),
            real: Cell::new(0),
            real_peak: Cell::new(0),
            charged: Cell::new(0),
            limit: Cell::new(usize::MAX),
            reserve: Cell::new(0),
            refusal: Cell::new(None),
            epoch: Cell::new(next_epoch()),
            footprint: Arc::default(),
            quarantine: asan::Quarantine::new(),
        }
    }
    /// Must be called before the first allocation, with the heap at its final address.
    pub fn set_owner(&self, owner: *const Heap) {
        self.owner.set(owner);
    }

    #[inline(always)]
    pub fn alloc_class(&self, class: u8) -> NonNull<u8> {
        let list = &self.free[class as usize];
        if let Some(block) = NonNull::new(list.get()) {
            asan::unpoison(block.as_ptr() as usize, CLASS_SIZES[class as usize] as usize);
            // SAFETY: free blocks hold their successor.
            list.set(unsafe { (*block.as_ptr()).next });
            self.used.set(self.used.get() + CLASS_SIZES[class as usize] as usize);
            return block.cast();
        }
        self.refill_or_unwind(class)
    }

    /// As [`Pages::alloc_class`], without unwinding.
    pub fn try_alloc_class(&self, class: u8) -> Result<NonNull<u8>, OutOfMemory> {
        if self.free[class as usize].get().is_null() { self.refill(class) } else { Ok(self.alloc_class(class)) }
    }

    /// # Safety
    /// `ptr` is a block of this class and heap, not used any more.
    #[inline(always)]
    pub unsafe fn free_class(&self, ptr: NonNull<u8>, class: u8) {
        if asan::ON {
            let size = CLASS_SIZES[class as usize] as usize;
            self.used.set(self.used.get().wrapping_sub(size));
            asan::poison(ptr.as_ptr() as usize, size);
            if let Some((old, class)) = self.quarantine.push(ptr, class, size) {
                let list = &self.free[class as usize];
                let block = old.cast::<Free>().as_ptr();
                asan::unpoison(block as usize, size_of::<Free>());
                // SAFETY: a block of this heap that was freed long ago.
                unsafe { (*block).next = list.get() };
                asan::poison(block as usize, size_of::<Free>());
                list.set(block);
            }
            return;
        }
        let list = &self.free[class as usize];
        let block = ptr.cast::<Free>().as_ptr();
        // SAFETY: the block is ours, at least 8 bytes, and nobody else's any more.
        unsafe { (*block).next = list.get() };
        list.set(block);
        self.used.set(self.used.get().wrapping_sub(CLASS_SIZES[class as usize] as usize));
    }

    #[cold]
    #[inline(never)]
    fn refill_or_unwind(&self, class: u8) -> NonNull<u8> {
        match self.refill(class) {
            Ok(block) => block,
            Err(refused) => self.unwind(refused),
        }
    }

    /// Links some blocks of the class's newest run and returns one; takes a new run when it is used up.
    #[cold]
    #[inline(never)]
    fn refill(&self, class: u8) -> Result<NonNull<u8>, OutOfMemory> {
        let size = CLASS_SIZES[class as usize] as usize;
        let (mut at, mut end) = self.bump[class as usize].get();
        if (end.addr() - at.addr()) < size {
            let pages = run_pages(class);
            at = self.alloc_pages(pages, size)?.as_ptr();
            end = at.wrapping_add(pages * PAGE);
        }
        let result = at;
        at = at.wrapping_add(size);
        // A few at a time: linking touches them.
        let mut more = (1024 / size).clamp(1, 16);
        let list = &self.free[class as usize];
        let mut last: *mut Free = std::ptr::null_mut();
        while more > 0 && end.addr() - at.addr() >= size {
            let block = at.cast::<Free>();
            // SAFETY: inside of the run and not in use.
            unsafe {
                (*block).next = std::ptr::null_mut();
                if last.is_null() {
                    list.set(block);
                } else {
                    (*last).next = block;
                }
            }
            last = block;
            at = at.wrapping_add(size);
            more -= 1;
        }
        self.bump[class as usize].set((at, end));
        self.used.set(self.used.get() + size);
        // SAFETY: inside of the run.
        Ok(unsafe { NonNull::new_unchecked(result) })
    }

    /// `count` pages in a row. `tried` is what the program asked for, for the error.
    fn alloc_pages(&self, count: usize, tried: usize) -> Result<NonNull<u8>, OutOfMemory> {
        self.note_peak();
        {
            let chunks = self.chunks.borrow();
            let (hint, least) = match count {
                0..4 => (&self.hints[0], 1),
                4..8 => (&self.hints[1], 4),
                _ => (&self.hints[2], 8),
            };
            let mut index = hint.get();
            while let Some(&chunk) = chunks.get(index) {
                // SAFETY: the heap's chunks are mapped.
                let head = unsafe { &mut *chunk };
                if let Some(first) = head.take(count) {
                    asan::unpoison(page(chunk, first).as_ptr() as usize, count * PAGE);
                    return Ok(page(chunk, first));
                }
                if index == hint.get() && (count == least || head.free_pages < least) {
                    hint.set(index + 1);
                }
                index += 1;
            }
        }
        let chunk = self.add_chunk(tried)?;
        // SAFETY: just mapped, all of its pages free, and `count` is at most their number.
        let first = unsafe { (*chunk).take(count) }.unwrap_or(1);
        Ok(page(chunk, first))
    }

    fn add_chunk(&self, tried: usize) -> Result<*mut Chunk, OutOfMemory> {
        self.check_limit(CHUNK, tried)?;
        let kept = self.kept.borrow_mut().pop();
        let chunk = match kept {
            Some(chunk) => chunk,
            None => {
                let is_dense = self.chunks.borrow().len() >= SPARSE_CHUNKS;
                sys::take_chunk(CHUNK, is_dense).ok_or_else(|| self.refuse(tried, true))?.cast::<Chunk>().as_ptr()
            }
        };
        let mut chunks = self.chunks.borrow_mut();
        // SAFETY: mapped, and ours; a header fits into the first page.
        unsafe {
            (&raw mut (*chunk).owner).write(self.owner.get());
            (&raw mut (*chunk).index).write(chunks.len());
            (&raw mut (*chunk).huge_bytes).write(0);
            (&raw mut (*chunk).free_pages).write(PAGES - 1);
            let mut used = [0u64; PAGES / 64];
            used[0] = 1;
            (&raw mut (*chunk).used).write(used);
            (&raw mut (*chunk).run).write([0; PAGES]);
        }
        chunks.push(chunk);
        self.add_real(CHUNK);
        Ok(chunk)
    }

    pub fn alloc_large(&self, size: usize) -> NonNull<u8> {
        match self.try_alloc_large(size) {
            Ok(block) => block,
            Err(refused) => self.unwind(refused),
        }
    }

    /// As [`Pages::alloc_large`], without unwinding.
    pub fn try_alloc_large(&self, size: usize) -> Result<NonNull<u8>, OutOfMemory> {
        if size > MAX_LARGE {
            return self.alloc_huge(size);
        }
        let count = size.div_ceil(PAGE);
        // PHP's message tells whole pages, too.
        let ptr = self.alloc_pages(count, count * PAGE)?;
        let chunk = chunk_of(ptr);
        // SAFETY: a page of one of our chunks.
        unsafe { (*chunk).run[page_index(ptr)] = count as u16 };
        self.used.set(self.used.get() + count * PAGE);
        Ok(ptr)
    }

    /// # Safety
    /// `ptr` is a large or huge block of this heap, not used any more.
    pub unsafe fn free_large(&self, ptr: NonNull<u8>) {
        let chunk = chunk_of(ptr);
        // SAFETY: the block is alive, so its chunk is mapped.
        let head = unsafe { &mut *chunk };
        if head.huge_bytes != 0 {
            let bytes = head.huge_bytes;
            let index = head.index;
            let mut huge = self.huge.borrow_mut();
            huge.swap_remove(index);
            if let Some(&moved) = huge.get(index) {
                // SAFETY: a huge block of this heap.
                unsafe { (*moved).index = index };
            }
            self.used.set(self.used.get().wrapping_sub(bytes - PAGE));
            self.lower_real(bytes);
            // Under AddressSanitizer freed memory must not be reachable.
            if asan::ON {
                self.unmap_huge(chunk);
            } else {
                self.keep_huge(chunk);
            }
            return;
        }
        let first = page_index(ptr);
        let count = head.run[first] as usize;
        debug_assert!(count > 0, "not a large block");
        head.run[first] = 0;
        head.give(first, count);
        asan::poison(ptr.as_ptr() as usize, count * PAGE);
        self.used.set(self.used.get().wrapping_sub(count * PAGE));
        let index = head.index;
        if head.free_pages == PAGES - 1 && self.chunks.borrow().len() > 1 {
            self.drop_chunk(chunk, index);
        } else {
            self.lower_hints(index);
        }
    }

    /// Keeps a freed block, and gives back what there is too much of.
    fn keep_huge(&self, chunk: *mut Chunk) {
        let mut kept = self.kept_huge.borrow_mut();
        kept.push(chunk);
        // SAFETY: kept blocks are mapped.
        let size = |chunk: &*mut Chunk| unsafe { (**chunk).huge_bytes };
        let mut total: usize = kept.iter().map(size).sum();
        let mut too_many = 0;
        while total > KEPT_HUGE_BYTES {
            total -= size(&kept[too_many]);
            too_many += 1;
        }
        for chunk in kept.drain(..too_many) {
            self.unmap_huge(chunk);
        }
    }

    fn unmap_huge(&self, chunk: *mut Chunk) {
        // SAFETY: a huge block, mapped with this size, that nobody uses any more.
        unsafe { sys::unmap(NonNull::new_unchecked(chunk.cast()), (*chunk).huge_bytes) };
    }

    /// A kept block of exactly this size.
    fn take_kept_huge(&self, bytes: usize) -> Option<NonNull<u8>> {
        let mut kept = self.kept_huge.borrow_mut();
        // SAFETY: kept blocks are mapped.
        let at = kept.iter().position(|chunk| unsafe { (**chunk).huge_bytes } == bytes)?;
        NonNull::new(kept.swap_remove(at).cast())
    }

    fn drop_chunk(&self, chunk: *mut Chunk, index: usize) {
        let mut chunks = self.chunks.borrow_mut();
        chunks.swap_remove(index);
        if let Some(&moved) = chunks.get(index) {
            // SAFETY: a chunk of this heap.
            unsafe { (*moved).index = index };
        }
        self.lower_hints(index);
        self.lower_real(CHUNK);
        asan::unpoison(chunk as usize, CHUNK);
        self.quarantine.forget(chunk as usize, CHUNK);
        let mut kept = self.kept.borrow_mut();
        if kept.len() < KEPT_CHUNKS {
            kept.push(chunk);
        } else {
            // SAFETY: all of its pages are free.
            unsafe { sys::give_chunk(NonNull::new_unchecked(chunk.cast()), CHUNK) };
        }
    }

    fn alloc_huge(&self, size: usize) -> Result<NonNull<u8>, OutOfMemory> {
        let size = size.checked_next_multiple_of(8).unwrap_or(size);
        let Some(bytes) = size.checked_next_multiple_of(PAGE).and_then(|b| b.checked_add(PAGE)) else {
            return Err(self.refuse(size, false));
        };
        self.note_peak();
        self.check_limit(bytes, size)?;
        let base = match self.take_kept_huge(bytes) {
            Some(base) => base,
            None => {
                let base = sys::map(bytes, CHUNK).ok_or_else(|| self.refuse(size, true))?;
                if bytes >= 2 * CHUNK {
                    sys::prefer_huge_pages(base, bytes);
                }
                base
            }
        };
        let chunk = base.cast::<Chunk>().as_ptr();
        let mut huge = self.huge.borrow_mut();
        // SAFETY: mapped, and longer than a header page.
        unsafe {
            (&raw mut (*chunk).owner).write(self.owner.get());
            (&raw mut (*chunk).index).write(huge.len());
            (&raw mut (*chunk).huge_bytes).write(bytes);
        }
        huge.push(chunk);
        self.used.set(self.used.get() + bytes - PAGE);
        self.add_real(bytes);
        // SAFETY: behind the header page.
        Ok(unsafe { base.add(PAGE) })
    }

    /// Changes the size of a large block where it is (or by moving its pages, not its bytes); `None`: impossible, it must be copied.
    ///
    /// # Safety
    /// `ptr` is a large block of this heap; the result replaces it.
    pub unsafe fn resize_large(&self, ptr: NonNull<u8>, new: usize) -> Result<Option<NonNull<u8>>, OutOfMemory> {
        let chunk = chunk_of(ptr);
        // SAFETY: alive, so mapped.
        let head = unsafe { &mut *chunk };
        if head.huge_bytes != 0 {
            if new <= MAX_LARGE {
                return Ok(None);
            }
            let old_bytes = head.huge_bytes;
            let Some(bytes) = new.checked_next_multiple_of(PAGE).and_then(|b| b.checked_add(PAGE)) else {
                return Err(self.refuse(new, false));
            };
            if bytes > old_bytes {
                self.check_limit(bytes - old_bytes, new)?;
            }
            let index = head.index;
            // SAFETY: mapped with this size; the old place is not used any more when it moves.
            let Some(base) = (unsafe { sys::remap(NonNull::new_unchecked(chunk.cast()), old_bytes, bytes, CHUNK) }) else {
                return Ok(None);
            };
            let moved = base.cast::<Chunk>().as_ptr();
            // SAFETY: mapped; the header page came along.
            unsafe { (*moved).huge_bytes = bytes };
            self.huge.borrow_mut()[index] = moved;
            self.used.set(self.used.get() + bytes - old_bytes);
            self.real.set(self.real.get() - old_bytes);
            self.add_real(bytes);
            // SAFETY: behind the header page.
            return Ok(Some(unsafe { base.add(PAGE) }));
        }
        if new <= MAX_SMALL || new > MAX_LARGE {
            return Ok(None);
        }
        let first = page_index(ptr);
        let (old_count, count) = (head.run[first] as usize, new.div_ceil(PAGE));
        if count < old_count {
            head.give(first + count, old_count - count);
            asan::poison(page(chunk, first + count).as_ptr() as usize, (old_count - count) * PAGE);
            self.lower_hints(head.index);
        } else if count > old_count && !head.take_at(first + old_count, count - old_count) {
            return Ok(None);
        }
        if count > old_count {
            asan::unpoison(page(chunk, first + old_count).as_ptr() as usize, (count - old_count) * PAGE);
        }
        head.run[first] = count as u16;
        self.used.set((self.used.get() + count * PAGE).wrapping_sub(old_count * PAGE));
        Ok(Some(ptr))
    }

    /// # Safety
    /// `ptr` is a living large or huge block.
    pub unsafe fn large_size(ptr: NonNull<u8>) -> usize {
        // SAFETY: by contract, so its chunk is mapped.
        let head = unsafe { &*chunk_of(ptr) };
        if head.huge_bytes != 0 { head.huge_bytes - PAGE } else { head.run[page_index(ptr)] as usize * PAGE }
    }

    /// Pages of this chunk became free.
    fn lower_hints(&self, index: usize) {
        for hint in &self.hints {
            hint.set(hint.get().min(index));
        }
    }
    fn add_real(&self, bytes: usize) {
        let real = self.real.get() + bytes;
        self.real.set(real);
        self.real_peak.set(self.real_peak.get().max(real));
        self.publish();
    }
    fn lower_real(&self, bytes: usize) {
        self.real.set(self.real.get() - bytes);
        self.publish();
    }
    fn publish(&self) {
        self.footprint.store(self.real(), Ordering::Relaxed);
    }
    pub fn footprint(&self) -> Arc<AtomicUsize> {
        self.footprint.clone()
    }
    fn note_peak(&self) {
        self.peak.set(self.peak.get().max(self.used()));
    }

    /// Bytes in blocks that are in use, and foreign ones.
    pub fn used(&self) -> usize {
        self.used.get() + self.charged.get()
    }
    /// Bytes taken from the system, and foreign ones as far as they would not have had room there.
    pub fn real(&self) -> usize {
        self.real.get() + self.charged.get().saturating_sub(CHARGE_SLACK)
    }
    /// The most of [`Pages::used`]; looked at when memory is taken from a run of pages, so slightly low between two runs.
    pub fn peak(&self) -> usize {
        self.note_peak();
        self.peak.get()
    }
    pub fn real_peak(&self) -> usize {
        self.real_peak.get().max(self.real())
    }
    pub fn reset_peak(&self) {
        self.peak.set(self.used());
        self.real_peak.set(self.real());
    }
    pub fn limit(&self) -> usize {
        self.limit.get()
    }
    pub fn set_limit(&self, limit: usize) {
        self.limit.set(limit);
        self.reserve.set(0);
    }
    pub fn end_reserve(&self) {
        self.reserve.set(0);
    }
    pub fn charge(&self, bytes: usize) {
        if let Err(refused) = self.try_charge(bytes) {
            self.unwind(refused);
        }
    }
    pub fn try_charge(&self, bytes: usize) -> Result<(), OutOfMemory> {
        if self.charged.get().saturating_add(bytes) > CHARGE_SLACK {
            self.check_limit(bytes, bytes)?;
        }
        self.charged.set(self.charged.get().saturating_add(bytes));
        self.real_peak.set(self.real_peak.get().max(self.real()));
        self.publish();
        Ok(())
    }
    pub fn uncharge(&self, bytes: usize) {
        self.charged.set(self.charged.get().saturating_sub(bytes));
        self.publish();
    }

    /// The number of what is charged from here on to the next reset; never 0.
    pub fn epoch(&self) -> u64 {
        self.epoch.get()
    }

    /// Bytes that may still be taken from the system.
    pub fn room(&self) -> usize {
        self.limit.get().saturating_add(self.reserve.get()).saturating_sub(self.real())
    }

    fn check_limit(&self, more: usize, tried: usize) -> Result<(), OutOfMemory> {
        let allowed = self.limit.get().saturating_add(self.reserve.get());
        if self.real().saturating_add(more) > allowed && !std::thread::panicking() {
            return Err(self.refuse(tried, false));
        }
        Ok(())
    }
    /// Remembers what was refused; from now on a small reserve is open for reporting it.
    #[cold]
    pub fn refuse(&self, tried: usize, by_system: bool) -> OutOfMemory {
        self.reserve.set(RESERVE);
        self.refusal.set(Some(MemoryLimit { limit: self.limit.get(), tried, by_system }));
        // SAFETY: a heap lives longer than its pages are used.
        if let Some(owner) = unsafe { self.owner.get().as_ref() } {
            owner.call_limit_hook();
        }
        OutOfMemory::new()
    }
    /// Unwinds with [`MemoryLimit`], for allocations that cannot fail.
    #[cold]
    pub fn unwind(&self, _refused: OutOfMemory) -> ! {
        let refusal = self.refusal.get().unwrap_or(MemoryLimit { limit: self.limit.get(), tried: 0, by_system: true });
        std::panic::resume_unwind(Box::new(refusal))
    }
    pub fn take_refusal(&self) -> Option<MemoryLimit> {
        self.refusal.take()
    }

    /// Gives everything back; no block may be used any more. The limit stays.
    pub fn reset(&self) {
        self.quarantine.clear();
        for chunk in self.chunks.borrow().iter() {
            asan::unpoison(*chunk as usize, CHUNK);
        }
        for list in &self.free {
            list.set(std::ptr::null_mut());
        }
        for bump in &self.bump {
            bump.set((std::ptr::null_mut(), std::ptr::null_mut()));
        }
        for chunk in self.huge.borrow_mut().drain(..).chain(self.kept_huge.borrow_mut().drain(..)) {
            self.unmap_huge(chunk);
        }
        let mut kept = self.kept.borrow_mut();
        for chunk in self.chunks.borrow_mut().drain(..) {
            if kept.len() < KEPT_CHUNKS {
                kept.push(chunk);
            } else {
                // SAFETY: by contract nobody uses its blocks.
                unsafe { sys::give_chunk(NonNull::new_unchecked(chunk.cast()), CHUNK) };
            }
        }
        self.lower_hints(0);
        self.refusal.set(None);
        self.epoch.set(next_epoch());
        for counter in [&self.used, &self.peak, &self.real, &self.real_peak, &self.charged, &self.reserve] {
            counter.set(0);
        }
        self.publish();
    }
}

fn next_epoch() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.reset();
        for chunk in self.kept.borrow_mut().drain(..) {
            // SAFETY: reset, so nobody uses it.
            unsafe { sys::give_chunk(NonNull::new_unchecked(chunk.cast()), CHUNK) };
        }
    }
}

#[inline(always)]
fn page_index(ptr: NonNull<u8>) -> usize {
    (ptr.as_ptr().addr() & (CHUNK - 1)) / PAGE
}

#[inline(always)]
fn page(chunk: *mut Chunk, index: usize) -> NonNull<u8> {
    // SAFETY: not null: a place in a mapped chunk.
    unsafe { NonNull::new_unchecked(chunk.cast::<u8>().wrapping_add(index * PAGE)) }
}

impl Chunk {
    fn is_used(&self, page: usize) -> bool {
        self.used[page / 64] >> (page % 64) & 1 != 0
    }
    fn mark(&mut self, first: usize, count: usize, used: bool) {
        for page in first..first + count {
            let bit = 1 << (page % 64);
            if used {
                self.used[page / 64] |= bit;
            } else {
                self.used[page / 64] &= !bit;
            }
        }
        if used {
            self.free_pages -= count;
        } else {
            self.free_pages += count;
        }
    }
    /// The first free page at or after `page`.
    fn next_free(&self, page: usize) -> usize {
        self.scan(page, |w| !w)
    }
    /// The first page in use at or after `page`.
    fn next_used(&self, page: usize) -> usize {
        self.scan(page, |w| w)
    }
    fn scan(&self, page: usize, of: impl Fn(u64) -> u64) -> usize {
        let mut word = page / 64;
        if word >= self.used.len() {
            return PAGES;
        }
        let mut bits = of(self.used[word]) & (u64::MAX << (page % 64));
        while bits == 0 {
            word += 1;
            match self.used.get(word) {
                Some(&w) => bits = of(w),
                None => return PAGES,
            }
        }
        word * 64 + bits.trailing_zeros() as usize
    }
    /// First fit.
    fn take(&mut self, count: usize) -> Option<usize> {
        if self.free_pages < count {
            return None;
        }
        let mut first = self.next_free(1);
        while first + count <= PAGES {
            let end = self.next_used(first);
            if end - first >= count {
                self.mark(first, count, true);
                return Some(first);
            }
            first = self.next_free(end);
        }
        None
    }
    fn take_at(&mut self, first: usize, count: usize) -> bool {
        if first + count > PAGES || (first..first + count).any(|p| self.is_used(p)) {
            return false;
        }
        self.mark(first, count, true);
        true
    }
    fn give(&mut self, first: usize, count: usize) {
        self.mark(first, count, false);
    }
}
