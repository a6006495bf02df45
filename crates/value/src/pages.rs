//! Blocks of memory (first form: the global allocator behind the request heap's interface).

use std::ptr::NonNull;

pub(crate) const CLASS_SIZES: [u16; 30] = [
    8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536,
    1792, 2048, 2560, 3072,
];

#[derive(Default)]
pub(crate) struct Pages;

impl Pages {
    pub fn alloc_large(&self, size: usize) -> NonNull<u8> {
        let Ok(layout) = std::alloc::Layout::from_size_align(size + 16, 16) else { crate::heap::too_large(size) };
        // SAFETY: the size is not zero.
        unsafe {
            let Some(p) = NonNull::new(std::alloc::alloc(layout)) else { std::alloc::handle_alloc_error(layout) };
            p.cast::<usize>().write(size);
            p.add(16)
        }
    }
    /// # Safety
    /// From `alloc_large`.
    pub unsafe fn large_size(ptr: NonNull<u8>) -> usize {
        // SAFETY: by contract.
        unsafe { ptr.sub(16).cast::<usize>().read() }
    }
    /// # Safety
    /// From `alloc_large`, not used any more.
    pub unsafe fn free_large(&self, ptr: NonNull<u8>) {
        // SAFETY: by contract.
        unsafe {
            let size = Pages::large_size(ptr);
            std::alloc::dealloc(ptr.sub(16).as_ptr(), std::alloc::Layout::from_size_align_unchecked(size + 16, 16));
        }
    }
}
