//! A growing string in the request heap that becomes a [`PStr`] without being copied: the buffer in which builtins collect what
//! grows with their input.
//!
//! Growing may fail: `memory_limit` is looked at before the memory is taken, and nothing unwinds. The error ends the request.

use super::*;
use crate::heap::OutOfMemory;
use crate::pages::CHUNK;

/// Collects bytes; `finish` gives the string.
pub struct PStrBuilder {
    /// Dangling while `capacity` is zero.
    ptr: NonNull<StrHeader>,
    len: usize,
    capacity: usize,
}

type Grown = Result<(), OutOfMemory>;

impl PStrBuilder {
    /// Allocates with the first byte.
    pub const fn new() -> PStrBuilder {
        PStrBuilder { ptr: NonNull::dangling(), len: 0, capacity: 0 }
    }
    pub fn with_capacity(capacity: usize) -> Result<PStrBuilder, OutOfMemory> {
        let mut builder = PStrBuilder::new();
        builder.grow_to(capacity.max(1))?;
        Ok(builder)
    }
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        if self.capacity == 0 {
            return &[];
        }
        // SAFETY: `len` bytes have been written.
        unsafe { std::slice::from_raw_parts(data(self.ptr), self.len) }
    }
    #[inline]
    pub fn as_mut_bytes(&mut self) -> &mut [u8] {
        if self.capacity == 0 {
            return &mut [];
        }
        // SAFETY: as above, and mutably borrowed.
        unsafe { std::slice::from_raw_parts_mut(data(self.ptr), self.len) }
    }
    #[inline(always)]
    pub fn push(&mut self, byte: u8) -> Grown {
        if self.len == self.capacity {
            self.grow_for(1)?;
        }
        // SAFETY: there is room.
        unsafe { data(self.ptr).add(self.len).write(byte) };
        self.len += 1;
        Ok(())
    }
    #[inline(always)]
    pub fn extend(&mut self, bytes: &[u8]) -> Grown {
        if bytes.len() > self.capacity - self.len {
            self.grow_for(bytes.len())?;
        }
        // SAFETY: there is room (with no capacity there are no bytes either).
        unsafe { data(self.ptr).add(self.len).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        self.len += bytes.len();
        Ok(())
    }
    #[inline(always)]
    pub fn push_str(&mut self, s: &str) -> Grown {
        self.extend(s.as_bytes())
    }
    /// The byte `count` times.
    pub fn fill(&mut self, byte: u8, count: usize) -> Grown {
        self.reserve(count)?;
        if count != 0 {
            // SAFETY: there is room.
            unsafe { data(self.ptr).add(self.len).write_bytes(byte, count) };
            self.len += count;
        }
        Ok(())
    }
    /// What is missing of that length is filled with the byte, what is beyond it goes.
    pub fn resize(&mut self, len: usize, byte: u8) -> Grown {
        self.fill(byte, len.saturating_sub(self.len))?;
        self.truncate(len);
        Ok(())
    }
    /// Decimal digits.
    pub fn push_int(&mut self, i: i64) -> Grown {
        let mut buffer = [0u8; 20];
        let mut at = buffer.len();
        let mut n = i.unsigned_abs();
        loop {
            at -= 1;
            buffer[at] = b'0' + (n % 10) as u8;
            n /= 10;
            if n == 0 {
                break;
            }
        }
        if i < 0 {
            self.push(b'-')?;
        }
        self.extend(&buffer[at..])
    }
    /// For `write!(builder, "{n:02}")?`.
    pub fn write_fmt(&mut self, arguments: std::fmt::Arguments<'_>) -> Grown {
        let mut writer = Writer { out: self, refused: None };
        // A formatter of the program's own fails only because this does.
        let _ = std::fmt::write(&mut writer, arguments);
        writer.refused.map_or(Ok(()), Err)
    }
    /// Room for that many more bytes.
    #[inline]
    pub fn reserve(&mut self, more: usize) -> Grown {
        if more > self.capacity - self.len {
            self.grow_for(more)?;
        }
        Ok(())
    }
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
    pub fn clear(&mut self) {
        self.len = 0;
    }
    pub fn pop(&mut self) -> Option<u8> {
        let byte = self.as_bytes().last().copied()?;
        self.len -= 1;
        Some(byte)
    }
    #[cold]
    #[inline(never)]
    fn grow_for(&mut self, more: usize) -> Grown {
        let needed = self.len.saturating_add(more);
        let wanted = amortised(self.capacity, needed);
        // Near the limit there may be room for what is needed, though not for what may follow.
        self.grow_to(if wanted > heap::room() { needed } else { wanted })
    }
    fn grow_to(&mut self, capacity: usize) -> Grown {
        // SAFETY: with a capacity the block is ours alone. It is replaced only after the new one is there.
        unsafe {
            self.ptr = if self.capacity == 0 {
                try_allocate(capacity, 0)?
            } else {
                try_grow(self.ptr, capacity)?
            };
            self.capacity = capacity_of(self.ptr);
        }
        Ok(())
    }
    /// The string. Its block moves only if much of it is unused.
    pub fn finish(mut self) -> PStr {
        if self.len <= 1 {
            return PStr::new(self.as_bytes());
        }
        // Where a smaller block might not be had, the large one serves as well.
        if self.capacity > 256 && self.capacity - self.len > self.len / 2 && heap::room() >= self.len + CHUNK {
            let shrunk = self.grow_to(self.len);
            debug_assert!(shrunk.is_ok(), "there was room");
        }
        // SAFETY: the NUL always has room behind `capacity` bytes; the only holder is this builder, whose count moves.
        unsafe {
            data(self.ptr).add(self.len).write(0);
            (*self.ptr.as_ptr()).len = self.len;
        }
        let result = PStr(self.ptr);
        std::mem::forget(self);
        result
    }
}

/// Formatted text on its way into a builder.
struct Writer<'a> {
    out: &'a mut PStrBuilder,
    refused: Option<OutOfMemory>,
}

impl std::fmt::Write for Writer<'_> {
    fn write_str(&mut self, s: &str) -> std::fmt::Result {
        self.out.push_str(s).map_err(|refused| {
            self.refused = Some(refused);
            std::fmt::Error
        })
    }
}

impl Drop for PStrBuilder {
    fn drop(&mut self) {
        if self.capacity != 0 {
            // SAFETY: the block is ours alone.
            unsafe { free(self.ptr.as_ptr()) };
        }
    }
}

impl Default for PStrBuilder {
    fn default() -> PStrBuilder {
        PStrBuilder::new()
    }
}
impl std::ops::Deref for PStrBuilder {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        self.as_bytes()
    }
}
