//! Memory from the operating system, aligned to 2 MiB, and a pool of chunks that all threads share.

use std::ptr::NonNull;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Chunks kept for the next heap that needs one.
const POOL_MAX: usize = 32;

struct Pooled(NonNull<u8>);
// SAFETY: a chunk in the pool is plain memory that nobody uses.
unsafe impl Send for Pooled {}

static POOL: Mutex<Vec<Pooled>> = Mutex::new(Vec::new());

/// Bytes that heaps have; what is in the pool is nobody's.
static HELD_BYTES: AtomicUsize = AtomicUsize::new(0);

/// Bytes that all heaps of the process have from the system now.
pub fn held_bytes() -> usize {
    HELD_BYTES.load(Ordering::Relaxed)
}

/// A chunk, its content undefined. `dense`: its pages will most likely all be used.
pub fn take_chunk(size: usize, dense: bool) -> Option<NonNull<u8>> {
    let pooled = POOL.lock().unwrap_or_else(|e| e.into_inner()).pop();
    match pooled {
        Some(chunk) => {
            HELD_BYTES.fetch_add(size, Ordering::Relaxed);
            Some(chunk.0)
        }
        None => {
            let chunk = map(size, size)?;
            if dense {
                prefer_huge_pages(chunk, size);
            }
            Some(chunk)
        }
    }
}

/// One page fault instead of hundreds. Only for what will be used up: a huge page is resident as a whole.
#[cfg(all(not(miri), target_os = "linux"))]
pub fn prefer_huge_pages(ptr: NonNull<u8>, size: usize) {
    // SAFETY: advice on our own mapping; that it is not taken does no harm.
    unsafe { libc::madvise(ptr.as_ptr().cast(), size, libc::MADV_HUGEPAGE) };
}

#[cfg(any(miri, not(target_os = "linux")))]
pub fn prefer_huge_pages(_ptr: NonNull<u8>, _size: usize) {}

/// # Safety
/// `chunk` came from [`take_chunk`] with this size and is not used any more.
pub unsafe fn give_chunk(chunk: NonNull<u8>, size: usize) {
    let mut pool = POOL.lock().unwrap_or_else(|e| e.into_inner());
    if pool.len() < POOL_MAX {
        HELD_BYTES.fetch_sub(size, Ordering::Relaxed);
        pool.push(Pooled(chunk));
        return;
    }
    drop(pool);
    // SAFETY: forwarded.
    unsafe { unmap(chunk, size) };
}

/// Fresh memory at an address that is a multiple of `align`; zeroed except under Miri. `None`: the system has none.
#[cfg(not(miri))]
pub fn map(size: usize, align: usize) -> Option<NonNull<u8>> {
    let total = size.checked_add(align)?;
    // SAFETY: an anonymous mapping at an address of the system's choice.
    let base = unsafe {
        libc::mmap(std::ptr::null_mut(), total, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE, -1, 0)
    };
    if base == libc::MAP_FAILED {
        return None;
    }
    let base = base.cast::<u8>();
    let skip = base.align_offset(align);
    // SAFETY: both ends are parts of the mapping just made and are not used.
    unsafe {
        if skip > 0 {
            libc::munmap(base.cast(), skip);
        }
        let start = base.add(skip);
        let rest = align - skip;
        let rest_start = start.wrapping_add(size);
        // The end of an odd-sized block shares its last page only with itself: sizes are multiples of a page.
        if rest > 0 {
            libc::munmap(rest_start.cast(), rest);
        }
        HELD_BYTES.fetch_add(size, Ordering::Relaxed);
        NonNull::new(start)
    }
}

/// # Safety
/// Mapped by [`map`] with this size, not used any more.
#[cfg(not(miri))]
pub unsafe fn unmap(ptr: NonNull<u8>, size: usize) {
    // SAFETY: forwarded. A failure (too many mappings) leaks address space and nothing else.
    unsafe { libc::munmap(ptr.as_ptr().cast(), size) };
    HELD_BYTES.fetch_sub(size, Ordering::Relaxed);
}

/// Changes the size of a mapping, in place or by moving its pages to another aligned address.
///
/// # Safety
/// Mapped by [`map`] with size `old`; the result replaces it. `None`: it stays as it was.
#[cfg(all(not(miri), target_os = "linux"))]
pub unsafe fn remap(ptr: NonNull<u8>, old: usize, new: usize, align: usize) -> Option<NonNull<u8>> {
    // SAFETY: the mapping is ours; the second form replaces a mapping that was made for it.
    unsafe {
        let there = libc::mremap(ptr.as_ptr().cast(), old, new, 0);
        if there != libc::MAP_FAILED {
            HELD_BYTES.fetch_add(new.wrapping_sub(old), Ordering::Relaxed);
            return NonNull::new(there.cast());
        }
        let to = map(new, align)?;
        let there = libc::mremap(ptr.as_ptr().cast(), old, new, libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED, to.as_ptr().cast::<libc::c_void>());
        if there == libc::MAP_FAILED {
            unmap(to, new);
            return None;
        }
        HELD_BYTES.fetch_sub(old, Ordering::Relaxed);
        NonNull::new(there.cast())
    }
}

/// # Safety
/// As on Linux; here the caller copies.
#[cfg(any(miri, not(target_os = "linux")))]
pub unsafe fn remap(_ptr: NonNull<u8>, _old: usize, _new: usize, _align: usize) -> Option<NonNull<u8>> {
    None
}

#[cfg(miri)]
pub fn map(size: usize, align: usize) -> Option<NonNull<u8>> {
    let layout = std::alloc::Layout::from_size_align(size, align).ok()?;
    // SAFETY: the size is not zero.
    NonNull::new(unsafe { std::alloc::alloc(layout) })
}

/// # Safety
/// Mapped by [`map`] with this size, not used any more.
#[cfg(miri)]
pub unsafe fn unmap(ptr: NonNull<u8>, size: usize) {
    // SAFETY: the alignment of everything that is mapped.
    unsafe { std::alloc::dealloc(ptr.as_ptr(), std::alloc::Layout::from_size_align_unchecked(size, crate::pages::CHUNK)) };
}

/// Address space for [`allocator`](crate::allocator), whose pages are never touched.
#[cfg(not(miri))]
pub fn map_reserve(size: usize) -> Option<NonNull<u8>> {
    // SAFETY: an anonymous mapping at an address of the system's choice.
    let base = unsafe { libc::mmap(std::ptr::null_mut(), size, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0) };
    if base == libc::MAP_FAILED { None } else { NonNull::new(base.cast()) }
}

/// # Safety
/// Mapped by [`map_reserve`] with this size, not used any more.
#[cfg(not(miri))]
pub unsafe fn unmap_reserve(ptr: NonNull<u8>, size: usize) {
    // SAFETY: forwarded. A failure leaves address space behind and nothing else.
    unsafe { libc::munmap(ptr.as_ptr().cast(), size) };
}

#[cfg(miri)]
pub fn map_reserve(_size: usize) -> Option<NonNull<u8>> {
    None
}

/// # Safety
/// There is none under Miri.
#[cfg(miri)]
pub unsafe fn unmap_reserve(_ptr: NonNull<u8>, _size: usize) {}
