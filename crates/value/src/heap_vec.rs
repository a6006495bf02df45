//! A growing list in the request heap: for what builtins gather on the way to their result (places, parts, values, costs) when there is
//! the more of it the longer their input is.
//!
//! As with [`PStrBuilder`](crate::PStrBuilder) growing may fail: `memory_limit` is looked at before the memory is taken, and nothing
//! unwinds. A list does not outlive its heap: it is for the time of a call.

use crate::heap::{self, OutOfMemory};
use std::marker::PhantomData;
use std::ptr::NonNull;

type Grown = Result<(), OutOfMemory>;

pub struct HeapVec<T> {
    /// Dangling while `capacity` is zero.
    ptr: NonNull<T>,
    len: usize,
    capacity: usize,
    owns: PhantomData<T>,
}

/// What the first block has room for.
const FIRST_CAPACITY: usize = 8;

impl<T> HeapVec<T> {
    /// Allocates with the first element.
    pub const fn new() -> HeapVec<T> {
        const { assert!(align_of::<T>() <= 8 && size_of::<T>() > 0, "the heap's blocks are aligned to 8") };
        HeapVec { ptr: NonNull::dangling(), len: 0, capacity: 0, owns: PhantomData }
    }
    pub fn with_capacity(capacity: usize) -> Result<HeapVec<T>, OutOfMemory> {
        let mut list = HeapVec::new();
        list.reserve(capacity)?;
        Ok(list)
    }
    /// All that the iterator gives.
    pub fn collect(elements: impl IntoIterator<Item = T>) -> Result<HeapVec<T>, OutOfMemory> {
        let mut list = HeapVec::new();
        list.extend(elements)?;
        Ok(list)
    }
    /// `count` times the same element.
    pub fn filled(element: T, count: usize) -> Result<HeapVec<T>, OutOfMemory>
    where
        T: Copy,
    {
        let mut list = HeapVec::with_capacity(count)?;
        list.extend(std::iter::repeat_n(element, count))?;
        Ok(list)
    }
    #[inline(always)]
    pub fn push(&mut self, element: T) -> Grown {
        if self.len == self.capacity {
            self.grow_for(1)?;
        }
        // SAFETY: there is room.
        unsafe { self.ptr.add(self.len).write(element) };
        self.len += 1;
        Ok(())
    }
    pub fn extend(&mut self, elements: impl IntoIterator<Item = T>) -> Grown {
        let elements = elements.into_iter();
        self.reserve(elements.size_hint().0)?;
        for element in elements {
            self.push(element)?;
        }
        Ok(())
    }
    /// Room for that many more elements.
    pub fn reserve(&mut self, more: usize) -> Grown {
        if more > self.capacity - self.len {
            self.grow_for(more)?;
        }
        Ok(())
    }
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: the element was written, and is not counted any more.
        Some(unsafe { self.ptr.add(self.len).read() })
    }
    pub fn truncate(&mut self, len: usize) {
        while self.len > len {
            self.pop();
        }
    }
    pub fn clear(&mut self) {
        self.truncate(0);
    }
    #[cold]
    #[inline(never)]
    fn grow_for(&mut self, more: usize) -> Grown {
        let bytes = |count: usize| count.saturating_mul(size_of::<T>());
        let needed = self.len.saturating_add(more);
        let wanted = needed.max(self.capacity.saturating_mul(2)).max(FIRST_CAPACITY);
        // Near the limit there may be room for what is needed, though not for what may follow.
        let capacity = if bytes(wanted) > heap::room() { needed } else { wanted };
        let size = bytes(capacity);
        if size > isize::MAX as usize {
            return Err(heap::refuse_size(size));
        }
        let block = if self.capacity == 0 {
            heap::try_alloc(size)?
        } else {
            // SAFETY: the block is ours alone and was asked for with this size. It is replaced only after the new one is there.
            unsafe { heap::try_realloc(self.ptr.cast(), bytes(self.capacity), size)? }
        };
        self.ptr = block.cast();
        self.capacity = capacity;
        Ok(())
    }
}

impl<T> std::ops::Deref for HeapVec<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `len` elements have been written; with none the pointer is aligned.
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.len) }
    }
}

impl<T> std::ops::DerefMut for HeapVec<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and mutably borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len) }
    }
}

impl<T> Drop for HeapVec<T> {
    fn drop(&mut self) {
        let elements: *mut [T] = &mut **self;
        if self.capacity != 0 {
            // SAFETY: the elements are not used any more, and the block is ours alone and was asked for with this size.
            unsafe {
                elements.drop_in_place();
                heap::free(self.ptr.cast(), self.capacity * size_of::<T>());
            }
        }
    }
}

impl<T> Default for HeapVec<T> {
    fn default() -> HeapVec<T> {
        HeapVec::new()
    }
}

/// The elements of a list that ends with this.
pub struct IntoIter<T> {
    list: HeapVec<T>,
    /// Elements before this have been given out; the list counts none.
    at: usize,
    end: usize,
}

impl<T> IntoIterator for HeapVec<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(mut self) -> IntoIter<T> {
        let end = std::mem::replace(&mut self.len, 0);
        IntoIter { list: self, at: 0, end }
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        if self.at == self.end {
            return None;
        }
        self.at += 1;
        // SAFETY: the element was written, and is given out once: `at` is behind it now.
        Some(unsafe { self.list.ptr.add(self.at - 1).read() })
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.at, Some(self.end - self.at))
    }
}

impl<T> Drop for IntoIter<T> {
    fn drop(&mut self) {
        self.by_ref().for_each(drop);
    }
}

impl<'a, T> IntoIterator for &'a HeapVec<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> std::slice::Iter<'a, T> {
        self.iter()
    }
}
