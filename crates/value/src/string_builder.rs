//! A growing string in the request heap that becomes a [`PStr`] without being copied.

use super::*;

/// Collects bytes; `finish` gives the string.
pub struct PStrBuilder {
    /// Dangling while `capacity` is zero.
    ptr: NonNull<StrHeader>,
    len: usize,
    capacity: usize,
}

impl PStrBuilder {
    /// Allocates with the first byte.
    pub const fn new() -> PStrBuilder {
        PStrBuilder { ptr: NonNull::dangling(), len: 0, capacity: 0 }
    }
    pub fn with_capacity(capacity: usize) -> PStrBuilder {
        let mut builder = PStrBuilder::new();
        builder.grow_to(capacity.max(1));
        builder
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
    pub fn push(&mut self, byte: u8) {
        if self.len == self.capacity {
            self.grow_for(1);
        }
        // SAFETY: there is room.
        unsafe { data(self.ptr).add(self.len).write(byte) };
        self.len += 1;
    }
    #[inline(always)]
    pub fn extend(&mut self, bytes: &[u8]) {
        if bytes.len() > self.capacity - self.len {
            self.grow_for(bytes.len());
        }
        // SAFETY: there is room (with no capacity there are no bytes either).
        unsafe { data(self.ptr).add(self.len).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        self.len += bytes.len();
    }
    /// As `Vec`'s.
    #[inline(always)]
    pub fn extend_from_slice(&mut self, bytes: &[u8]) {
        self.extend(bytes);
    }
    #[inline(always)]
    pub fn push_str(&mut self, s: &str) {
        self.extend(s.as_bytes());
    }
    /// The byte `count` times.
    pub fn fill(&mut self, byte: u8, count: usize) {
        self.reserve(count);
        if count != 0 {
            // SAFETY: there is room.
            unsafe { data(self.ptr).add(self.len).write_bytes(byte, count) };
            self.len += count;
        }
    }
    /// Decimal digits.
    pub fn push_int(&mut self, i: i64) {
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
            self.push(b'-');
        }
        self.extend(&buffer[at..]);
    }
    /// Room for that many more bytes.
    #[inline]
    pub fn reserve(&mut self, more: usize) {
        if more > self.capacity - self.len {
            self.grow_for(more);
        }
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
    fn grow_for(&mut self, more: usize) {
        self.grow_to(amortised(self.capacity, self.len.saturating_add(more)));
    }
    fn grow_to(&mut self, capacity: usize) {
        // SAFETY: with a capacity the block is ours alone. It is replaced only after the new one is there.
        unsafe {
            self.ptr = if self.capacity == 0 {
                allocate(capacity, 0)
            } else {
                grow(self.ptr, capacity)
            };
            self.capacity = capacity_of(self.ptr);
        }
    }
    /// The string. Its block moves only if much of it is unused.
    pub fn finish(mut self) -> PStr {
        if self.len <= 1 {
            return PStr::new(self.as_bytes());
        }
        if self.capacity > 256 && self.capacity - self.len > self.len / 2 {
            self.grow_to(self.len);
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
    pub fn to_vec(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
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
impl std::fmt::Write for PStrBuilder {
    fn write_str(&mut self, s: &str) -> std::fmt::Result {
        self.extend(s.as_bytes());
        Ok(())
    }
}
impl std::io::Write for PStrBuilder {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
impl std::ops::Deref for PStrBuilder {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        self.as_bytes()
    }
}
impl Extend<u8> for PStrBuilder {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
        for byte in bytes {
            self.push(byte);
        }
    }
}
