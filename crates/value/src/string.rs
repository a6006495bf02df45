//! Strings: counted bytes with length, cached hash and a trailing NUL.
//!
//! Invariants: the byte after the last is always NUL; `hash` is zero (unknown) or the hash of the bytes; immortal strings have
//! their hash from the start and are never written, so threads may share them. Strings made at run time are not interned:
//! different pointers do not prove different strings. The capacity of a heap string is the size of its block, which the size
//! class in `info` tells (large blocks ask the heap).

use crate::hash::{BuildBytesHasher, hash_bytes};
use crate::header::{CLASS_LARGE, CLASS_MASK, CLASS_SHIFT, Header, INTERNED, NOT_COLLECTABLE};
use crate::heap::OutOfMemory;
use crate::raw::{Kind, Raw};
use crate::{Value, heap};
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ptr::NonNull;
use std::sync::{LazyLock, RwLock};

/// A text as far as C's functions see it: up to its first NUL byte.
#[inline]
pub fn up_to_nul(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == 0).next().unwrap_or_default()
}

#[repr(C)]
pub struct StrHeader {
    pub header: Header,
    /// Zero: not computed yet.
    pub hash: Cell<u64>,
    pub len: usize,
}

/// Where the bytes start.
pub const STR_DATA: usize = size_of::<StrHeader>();
const _: () = assert!(STR_DATA == 24);

/// The longest string; longer ones are an error before they are an overflow.
pub const MAX_LEN: usize = (isize::MAX as usize) / 2;

/// A counted handle on a string.
#[repr(transparent)]
pub struct PStr(NonNull<StrHeader>);

// The handle's own Clone: as for the others. Drop differs: strings are never buffered by the collector.
impl Clone for PStr {
    #[inline(always)]
    fn clone(&self) -> PStr {
        self.header().add_ref();
        PStr(self.0)
    }
}

impl Drop for PStr {
    #[inline(always)]
    fn drop(&mut self) {
        let header = self.header();
        let rc = header.rc.get();
        if rc > 1 {
            header.rc.set(rc - 1);
        } else if rc == 1 {
            // SAFETY: the last count was this handle's.
            unsafe { free(self.0.as_ptr()) };
        }
    }
}

/// # Safety
/// The last count of the string is the caller's, who gives it up.
#[inline(never)]
pub(crate) unsafe fn free(this: *mut StrHeader) {
    // SAFETY: alive by contract; counted strings always come from the heap.
    unsafe {
        let block = NonNull::new_unchecked(this.cast::<u8>());
        match ((*this).header.info.get() & CLASS_MASK) >> CLASS_SHIFT {
            CLASS_LARGE => heap::free_large(block),
            class => heap::free_class(block, class as u8),
        }
    }
}

/// A block for `capacity` bytes, its header written with length `len`; the bytes are not initialised, the NUL is not set.
#[inline]
fn allocate(capacity: usize, len: usize) -> NonNull<StrHeader> {
    if capacity > MAX_LEN {
        heap::too_large(capacity);
    }
    let size = STR_DATA + capacity + 1;
    write_header(heap::alloc(size), size, len)
}

/// As [`allocate`], where growing may fail.
fn try_allocate(capacity: usize, len: usize) -> Result<NonNull<StrHeader>, OutOfMemory> {
    if capacity > MAX_LEN {
        return Err(heap::refuse_size(capacity));
    }
    let size = STR_DATA + capacity + 1;
    Ok(write_header(heap::try_alloc(size)?, size, len))
}

/// Makes a fresh block of `size` bytes a string's.
#[inline(always)]
fn write_header(block: NonNull<u8>, size: usize, len: usize) -> NonNull<StrHeader> {
    let ptr = block.cast::<StrHeader>();
    let flags = NOT_COLLECTABLE | ((heap::size_class(size) as u32) << CLASS_SHIFT);
    // SAFETY: fresh memory that is large enough.
    unsafe { ptr.write(StrHeader { header: Header::new(Kind::String, flags), hash: Cell::new(0), len }) };
    ptr
}

/// Bytes that fit into the block of a heap string.
///
/// # Safety
/// `this` is a living heap string.
#[inline]
unsafe fn capacity_of(this: NonNull<StrHeader>) -> usize {
    // SAFETY: alive.
    let class = unsafe { (this.as_ref().header.info.get() & CLASS_MASK) >> CLASS_SHIFT };
    let size = match class {
        // SAFETY: a large block of the heap.
        CLASS_LARGE => unsafe { heap::large_size(this.cast()) },
        class => heap::class_size(class as u8),
    };
    size - STR_DATA - 1
}

/// Moves a heap string to a block for at least `capacity` bytes.
///
/// # Safety
/// `this` is a heap string with one holder, the caller, who must use the result instead.
unsafe fn grow(this: NonNull<StrHeader>, capacity: usize) -> NonNull<StrHeader> {
    if capacity > MAX_LEN {
        heap::too_large(capacity);
    }
    // SAFETY: by contract; the block is ours and its size known.
    unsafe {
        let (old, new) = (capacity_of(this) + STR_DATA + 1, STR_DATA + capacity + 1);
        moved(heap::realloc(this.cast(), old, new), new)
    }
}

/// As [`grow`], where growing may fail: then the string stays as it was.
///
/// # Safety
/// As [`grow`].
unsafe fn try_grow(this: NonNull<StrHeader>, capacity: usize) -> Result<NonNull<StrHeader>, OutOfMemory> {
    if capacity > MAX_LEN {
        return Err(heap::refuse_size(capacity));
    }
    // SAFETY: by contract; the block is ours and its size known.
    unsafe {
        let (old, new) = (capacity_of(this) + STR_DATA + 1, STR_DATA + capacity + 1);
        Ok(moved(heap::try_realloc(this.cast(), old, new)?, new))
    }
}

/// A string's block that has become one of `size` bytes.
///
/// # Safety
/// It holds a heap string.
unsafe fn moved(block: NonNull<u8>, size: usize) -> NonNull<StrHeader> {
    let this = block.cast::<StrHeader>();
    // SAFETY: by contract.
    unsafe { this.as_ref().header.info.set(Kind::String as u32 | NOT_COLLECTABLE | ((heap::size_class(size) as u32) << CLASS_SHIFT)) };
    this
}

/// Capacity to ask for when `needed` bytes must fit and more may follow.
#[inline]
fn amortised(current: usize, needed: usize) -> usize {
    // Double while small; by half from 64 KiB on, where blocks often grow in place.
    let step = if current < 1 << 16 { current } else { current / 2 };
    needed.max(current.saturating_add(step)).max(40)
}

#[inline(always)]
fn data(ptr: NonNull<StrHeader>) -> *mut u8 {
    // Wrapping: a builder without a block has a dangling pointer, through which nothing is written.
    ptr.as_ptr().cast::<u8>().wrapping_add(STR_DATA)
}

/// An immortal string: never written, never freed, so threads may share it.
pub struct SharedStr(PStr);

// SAFETY: the string is immortal: neither its count nor its bytes are ever written.
unsafe impl Send for SharedStr {}
// SAFETY: as above.
unsafe impl Sync for SharedStr {}

impl SharedStr {
    pub fn new(bytes: &[u8]) -> SharedStr {
        SharedStr(PStr::immortal(bytes))
    }
}

impl std::ops::Deref for SharedStr {
    type Target = PStr;
    fn deref(&self) -> &PStr {
        &self.0
    }
}

impl PStr {
    /// A string of these bytes. Empty and one-byte strings are shared and allocate nothing.
    #[inline]
    pub fn new(bytes: &[u8]) -> PStr {
        match bytes {
            [] => PStr::empty(),
            [byte] => PStr::single_byte(*byte),
            _ => PStr::copied(bytes),
        }
    }
    fn copied(bytes: &[u8]) -> PStr {
        let ptr = allocate(bytes.len(), bytes.len());
        // SAFETY: the block holds the bytes and a NUL; a fresh block does not overlap.
        unsafe {
            let to = data(ptr);
            to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            to.add(bytes.len()).write(0);
        }
        PStr(ptr)
    }
    /// An empty string that may grow to `capacity` bytes in place.
    pub fn with_capacity(capacity: usize) -> PStr {
        let ptr = allocate(capacity, 0);
        // SAFETY: room for the NUL.
        unsafe { data(ptr).write(0) };
        PStr(ptr)
    }
    /// A string of `len` bytes written by `fill`, which gets them zeroed.
    pub fn build(len: usize, fill: impl FnOnce(&mut [u8])) -> PStr {
        if len == 0 {
            return PStr::empty();
        }
        let ptr = allocate(len, len);
        let result = PStr(ptr);
        // SAFETY: the block has room for the bytes and the NUL; nobody else sees it yet.
        unsafe {
            data(ptr).write_bytes(0, len + 1);
            fill(std::slice::from_raw_parts_mut(data(ptr), len));
        }
        result
    }
    /// A string of what `map` makes of each byte.
    #[inline]
    pub fn mapped(bytes: &[u8], map: impl Fn(u8) -> u8) -> PStr {
        if bytes.is_empty() {
            return PStr::empty();
        }
        let ptr = allocate(bytes.len(), bytes.len());
        // SAFETY: the block has room for the bytes and the NUL; nobody else sees it yet.
        unsafe {
            let to = data(ptr);
            to.add(bytes.len()).write(0);
            // Blocks of known size become vector instructions; the last one overlaps the one before.
            let mut at = 0;
            while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
                to.add(at).cast::<[u8; 16]>().write_unaligned(block.map(&map));
                at += 16;
            }
            if let (true, Some(block)) = (at < bytes.len(), bytes.last_chunk::<16>()) {
                to.add(bytes.len() - 16).cast::<[u8; 16]>().write_unaligned(block.map(&map));
            } else {
                for (n, &byte) in bytes.iter().enumerate().skip(at) {
                    to.add(n).write(map(byte));
                }
            }
        }
        PStr(ptr)
    }
    /// `""`.
    #[inline(always)]
    pub fn empty() -> PStr {
        statics::get(256)
    }
    /// The string of one byte.
    #[inline(always)]
    pub fn single_byte(byte: u8) -> PStr {
        statics::get(byte as usize)
    }
    /// An interned string that lives as long as the process; for literals, names and constants. Not for data of requests.
    pub fn immortal(bytes: &[u8]) -> PStr {
        match bytes {
            [] => PStr::empty(),
            [byte] => PStr::single_byte(*byte),
            _ => interned(bytes),
        }
    }
    /// The interned string of these bytes, if there is one.
    pub fn find_immortal(bytes: &[u8]) -> Option<PStr> {
        match bytes {
            [] => Some(PStr::empty()),
            [byte] => Some(PStr::single_byte(*byte)),
            _ => shard(bytes).read().unwrap_or_else(|e| e.into_inner()).get(bytes).map(|s| PStr(s.0)),
        }
    }
    /// How many strings are interned, and the bytes that they take.
    pub fn interned_usage() -> (usize, usize) {
        let shards = TABLE.iter().map(|shard| {
            let shard = shard.read().unwrap_or_else(|e| e.into_inner());
            (shard.len(), shard.keys().map(|key| immortal_size(key.len())).sum::<usize>())
        });
        shards.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    }
    /// All parts, one allocation.
    pub fn concat(parts: &[&[u8]]) -> PStr {
        let mut len = 0usize;
        for part in parts {
            len = len.saturating_add(part.len());
        }
        match len {
            0 => return PStr::empty(),
            1 => return parts.iter().find(|p| !p.is_empty()).map_or_else(PStr::empty, |p| PStr::single_byte(p[0])),
            _ => {}
        }
        let ptr = allocate(len, len);
        let mut at = data(ptr);
        for part in parts {
            // SAFETY: the lengths were summed up above, so every part fits; the block is fresh.
            unsafe {
                at.copy_from_nonoverlapping(part.as_ptr(), part.len());
                at = at.add(part.len());
            }
        }
        // SAFETY: room for the NUL.
        unsafe { at.write(0) };
        PStr(ptr)
    }
    /// `concat` of two, the most frequent case.
    #[inline]
    pub fn concat2(a: &[u8], b: &[u8]) -> PStr {
        let len = a.len().saturating_add(b.len());
        let ptr = allocate(len, len);
        // SAFETY: as in `concat`.
        unsafe {
            let to = data(ptr);
            to.copy_from_nonoverlapping(a.as_ptr(), a.len());
            to.add(a.len()).copy_from_nonoverlapping(b.as_ptr(), b.len());
            to.add(len).write(0);
        }
        PStr(ptr)
    }

    #[inline(always)]
    pub fn header(&self) -> &Header {
        // SAFETY: alive while the handle is.
        unsafe { &(*self.0.as_ptr()).header }
    }
    #[inline(always)]
    pub fn as_ptr(&self) -> *mut StrHeader {
        self.0.as_ptr()
    }
    /// Gives up the handle without its count.
    #[inline(always)]
    pub fn into_ptr(self) -> *mut StrHeader {
        let ptr = self.0.as_ptr();
        std::mem::forget(self);
        ptr
    }
    /// # Safety
    /// `ptr` is alive and the caller gives one of its counts to the handle.
    #[inline(always)]
    pub unsafe fn from_ptr(ptr: *mut StrHeader) -> PStr {
        // SAFETY: not null, by contract.
        PStr(unsafe { NonNull::new_unchecked(ptr) })
    }
    /// A new handle on a living string, with a count of its own.
    ///
    /// # Safety
    /// `ptr` is alive.
    #[inline(always)]
    pub unsafe fn share(ptr: *mut StrHeader) -> PStr {
        // SAFETY: alive, by contract.
        unsafe {
            (*ptr).header.add_ref();
            PStr::from_ptr(ptr)
        }
    }
    /// A pointer slot seen as a handle, without counting.
    ///
    /// # Safety
    /// The slot holds a valid string pointer for as long as the result lives.
    #[inline(always)]
    pub unsafe fn from_slot(slot: &u64) -> &PStr {
        // A word has no provenance when it is read as a pointer: Miri gets a handle made anew of the address, which nobody drops.
        #[cfg(miri)]
        // SAFETY: the slot holds such a pointer.
        return Box::leak(Box::new(unsafe { Self::from_ptr(*slot as *mut StrHeader) }));
        #[cfg(not(miri))]
        // SAFETY: the handle is transparent over a pointer, which is as wide as the slot.
        unsafe {
            &*(slot as *const u64).cast::<PStr>()
        }
    }
    #[inline(always)]
    pub fn into_raw(self) -> Raw {
        let tag = self.header().tag();
        Raw { tag, bits: self.into_ptr() as u64 }
    }
    #[inline(always)]
    pub fn ptr_eq(&self, other: &PStr) -> bool {
        self.0 == other.0
    }
    #[inline(always)]
    pub fn ref_count(&self) -> i32 {
        self.header().rc.get()
    }
    #[inline(always)]
    pub fn is_immortal(&self) -> bool {
        self.header().has(crate::header::IMMORTAL)
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        // SAFETY: alive.
        unsafe { (*self.0.as_ptr()).len }
    }
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    #[inline(always)]
    pub fn as_bytes(&self) -> &[u8] {
        // SAFETY: `len` bytes follow the header; they are not written while borrowed (writers need the only handle).
        unsafe { std::slice::from_raw_parts(data(self.0), self.len()) }
    }
    /// The bytes with their NUL, for C functions. A NUL inside is the caller's to refuse.
    pub fn as_bytes_with_nul(&self) -> &[u8] {
        // SAFETY: the NUL is always there.
        unsafe { std::slice::from_raw_parts(data(self.0), self.len() + 1) }
    }
    /// The hash of the bytes, never zero; computed once.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        // SAFETY: alive.
        let cell = unsafe { &(*self.0.as_ptr()).hash };
        match cell.get() {
            0 => self.compute_hash(),
            hash => hash,
        }
    }
    #[inline(never)]
    fn compute_hash(&self) -> u64 {
        let hash = hash_bytes(self.as_bytes());
        // SAFETY: alive; only heap strings have no hash yet, and those belong to this thread.
        unsafe { (*self.0.as_ptr()).hash.set(hash) };
        hash
    }
    /// For tests and messages: lossy when it is not UTF-8.
    pub fn to_string_lossy(&self) -> String {
        String::from_utf8_lossy(self.as_bytes()).into_owned()
    }
    /// Bytes `from..to`; both are clamped to the string.
    pub fn slice(&self, from: usize, to: usize) -> PStr {
        let to = to.min(self.len());
        let from = from.min(to);
        if from == 0 && to == self.len() { self.clone() } else { PStr::new(&self.as_bytes()[from..to]) }
    }
    /// Byte at a position.
    #[inline]
    pub fn byte_at(&self, at: usize) -> Option<u8> {
        self.as_bytes().get(at).copied()
    }

    /// Appends in place when this is the only handle and there is room; otherwise moves to a larger block.
    #[inline]
    pub fn append(&mut self, bytes: &[u8]) {
        let len = self.len();
        if self.header().is_unique() {
            // SAFETY: a counted string is a heap string.
            let capacity = unsafe { capacity_of(self.0) };
            if bytes.len() <= capacity - len {
                // SAFETY: it fits; `bytes` cannot be ours, because this is the only handle and it is borrowed mutably.
                unsafe { self.push_unchecked(len, bytes) };
                return;
            }
        }
        self.append_slow(bytes);
    }
    /// # Safety
    /// The only handle, with room for the bytes.
    #[inline(always)]
    unsafe fn push_unchecked(&mut self, len: usize, bytes: &[u8]) {
        // SAFETY: by contract.
        unsafe {
            let to = data(self.0);
            to.add(len).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            to.add(len + bytes.len()).write(0);
            let head = self.0.as_ptr();
            (*head).len = len + bytes.len();
            (*head).hash.set(0);
        }
    }
    #[cold]
    #[inline(never)]
    fn append_slow(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let len = self.len();
        let needed = len.saturating_add(bytes.len());
        if self.header().is_unique() {
            let capacity = amortised(len, needed);
            // SAFETY: the only handle of a heap string.
            self.0 = unsafe { grow(self.0, capacity) };
            // SAFETY: grown to fit.
            unsafe { self.push_unchecked(len, bytes) };
        } else if len <= 1 {
            // These are always shared, so that nothing is known yet of more appends: no room beyond the block's own.
            *self = PStr::concat2(self.as_bytes(), bytes);
        } else {
            // The first append to a shared string: what is appended to once is often appended to again.
            let mut result = PStr(allocate(amortised(len, needed), 0));
            // SAFETY: allocated to fit both.
            unsafe {
                result.push_unchecked(0, self.as_bytes());
                result.push_unchecked(len, bytes);
            }
            *self = result;
        }
    }
    /// The bytes for writing, after separation from other holders.
    pub fn make_mut(&mut self) -> &mut [u8] {
        if !self.header().is_unique() {
            *self = PStr::copied(self.as_bytes());
        }
        let len = self.len();
        // SAFETY: the only handle, mutably borrowed.
        unsafe {
            (*self.0.as_ptr()).hash.set(0);
            std::slice::from_raw_parts_mut(data(self.0), len)
        }
    }
    /// Cuts the string; nothing happens when it is not longer.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len() {
            return;
        }
        if self.header().is_unique() {
            // SAFETY: the only handle; the new end is inside of the block.
            unsafe {
                let head = self.0.as_ptr();
                (*head).len = len;
                (*head).hash.set(0);
                data(self.0).add(len).write(0);
            }
        } else {
            *self = PStr::new(&self.as_bytes()[..len]);
        }
    }

    /// The integer that this string becomes as an array key, if it is a canonical decimal number.
    #[inline]
    pub fn as_index(&self) -> Option<i64> {
        numeric_key(self.as_bytes())
    }
}

/// The integer that a string becomes as an array key: decimal, no leading zeros, no plus, not `-0`, within the range of
/// integers.
#[inline]
pub fn numeric_key(bytes: &[u8]) -> Option<i64> {
    match bytes {
        [first, ..] if *first <= b'9' => numeric_key_slow(bytes),
        _ => None,
    }
}

fn numeric_key_slow(bytes: &[u8]) -> Option<i64> {
    let (negative, digits) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, bytes),
    };
    match digits {
        [b'0'] => return (!negative).then_some(0),
        [b'1'..=b'9', ..] if digits.len() <= 19 => {}
        _ => return None,
    }
    let mut n: u64 = 0;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        // At most 19 digits: no overflow of 64 bits.
        n = n * 10 + u64::from(digit - b'0');
    }
    if n > i64::MAX as u64 + u64::from(negative) {
        return None;
    }
    Some(if negative { (n as i64).wrapping_neg() } else { n as i64 })
}

impl std::ops::Deref for PStr {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        self.as_bytes()
    }
}
impl AsRef<[u8]> for PStr {
    #[inline(always)]
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}
impl std::borrow::Borrow<[u8]> for PStr {
    fn borrow(&self) -> &[u8] {
        self.as_bytes()
    }
}
impl std::hash::Hash for PStr {
    // As the bytes, because of `Borrow`.
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}
impl PartialEq for PStr {
    #[inline]
    fn eq(&self, other: &PStr) -> bool {
        if self.ptr_eq(other) {
            return true;
        }
        if self.len() != other.len() {
            return false;
        }
        // SAFETY: both alive.
        let (a, b) = unsafe { ((*self.0.as_ptr()).hash.get(), (*other.0.as_ptr()).hash.get()) };
        if a != b && a != 0 && b != 0 {
            return false;
        }
        // SAFETY: both are alive.
        unsafe { same_short(self.as_ptr(), other.as_ptr()) }.unwrap_or_else(|| self.as_bytes() == other.as_bytes())
    }
}
impl Eq for PStr {}
impl PartialEq<[u8]> for PStr {
    fn eq(&self, other: &[u8]) -> bool {
        self.as_bytes() == other
    }
}
impl PartialEq<&[u8]> for PStr {
    fn eq(&self, other: &&[u8]) -> bool {
        self.as_bytes() == *other
    }
}
impl<const N: usize> PartialEq<&[u8; N]> for PStr {
    fn eq(&self, other: &&[u8; N]) -> bool {
        self.as_bytes() == other.as_slice()
    }
}
impl<const N: usize> PartialEq<[u8; N]> for PStr {
    fn eq(&self, other: &[u8; N]) -> bool {
        self.as_bytes() == other.as_slice()
    }
}
impl PartialOrd for PStr {
    fn partial_cmp(&self, other: &PStr) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for PStr {
    fn cmp(&self, other: &PStr) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}
impl Default for PStr {
    fn default() -> PStr {
        PStr::empty()
    }
}
impl std::fmt::Debug for PStr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}\"", self.as_bytes().escape_ascii())
    }
}
/// Lossy when it is not UTF-8; for messages only.
impl std::fmt::Display for PStr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.as_bytes()))
    }
}
impl From<&[u8]> for PStr {
    fn from(bytes: &[u8]) -> PStr {
        PStr::new(bytes)
    }
}
impl<const N: usize> From<&[u8; N]> for PStr {
    fn from(bytes: &[u8; N]) -> PStr {
        PStr::new(bytes)
    }
}
impl From<&str> for PStr {
    fn from(s: &str) -> PStr {
        PStr::new(s.as_bytes())
    }
}
impl From<PStr> for Value {
    #[inline(always)]
    fn from(s: PStr) -> Value {
        // SAFETY: the count moves.
        unsafe { Value::from_raw(s.into_raw()) }
    }
}
impl From<&PStr> for Value {
    #[inline(always)]
    fn from(s: &PStr) -> Value {
        Value::from(s.clone())
    }
}

/// Entry of the table of immortal strings.
struct Interned(NonNull<StrHeader>);
// SAFETY: immortal strings are never written after publication.
unsafe impl Send for Interned {}
// SAFETY: as above.
unsafe impl Sync for Interned {}

type Shard = RwLock<HashMap<&'static [u8], Interned, BuildBytesHasher>>;
const SHARDS: usize = 16;
static TABLE: LazyLock<[Shard; SHARDS]> = LazyLock::new(|| std::array::from_fn(|_| RwLock::default()));

fn shard(bytes: &[u8]) -> &'static Shard {
    &TABLE[(hash_bytes(bytes) >> 60) as usize % SHARDS]
}

fn interned(bytes: &[u8]) -> PStr {
    if let Some(found) = PStr::find_immortal(bytes) {
        return found;
    }
    // A poisoned lock means a panic elsewhere while the map was consistent: entries are inserted whole.
    let mut map = shard(bytes).write().unwrap_or_else(|e| e.into_inner());
    if let Some(found) = map.get(bytes) {
        return PStr(found.0);
    }
    let ptr = allocate_immortal(bytes);
    // SAFETY: never freed, never written again.
    let key: &'static [u8] = unsafe { std::slice::from_raw_parts(data(ptr), bytes.len()) };
    map.insert(key, Interned(ptr));
    PStr(ptr)
}

/// Header, bytes and NUL.
fn immortal_size(len: usize) -> usize {
    STR_DATA + len + 1
}

fn allocate_immortal(bytes: &[u8]) -> NonNull<StrHeader> {
    let size = immortal_size(bytes.len());
    let layout = std::alloc::Layout::from_size_align(size, 8).unwrap_or_else(|_| heap::too_large(size));
    // SAFETY: the size is not zero; the block takes header, bytes and NUL.
    unsafe {
        let Some(ptr) = NonNull::new(std::alloc::alloc(layout)) else { std::alloc::handle_alloc_error(layout) };
        let ptr = ptr.cast::<StrHeader>();
        ptr.write(StrHeader {
            header: Header::immortal(Kind::String, NOT_COLLECTABLE | INTERNED),
            hash: Cell::new(hash_bytes(bytes)),
            len: bytes.len(),
        });
        let to = data(ptr);
        to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        to.add(bytes.len()).write(0);
        ptr
    }
}

/// Strings of up to this length are compared in place.
const SHORT: usize = 64;

/// Are the strings the same? None: they are as long as each other, and too long to be compared without a call.
///
/// # Safety
/// Both are live.
#[inline(always)]
pub unsafe fn same_short(a: *const StrHeader, b: *const StrHeader) -> Option<bool> {
    // SAFETY: as promised: both have so many bytes.
    unsafe {
        if std::ptr::eq(a, b) || (*a).len != (*b).len {
            return Some(std::ptr::eq(a, b));
        }
        if (*a).len > SHORT { None } else { Some(same_bytes(bytes_of(a), bytes_of(b), (*a).len)) }
    }
}

/// Are `len` bytes at both places the same? Without a call, which costs more than comparing short keys.
///
/// # Safety
/// Both have `len` readable bytes.
#[inline(always)]
pub(crate) unsafe fn same_bytes(a: *const u8, b: *const u8, len: usize) -> bool {
    // SAFETY: every read ends within `len` bytes.
    unsafe {
        let words = |at: usize| a.add(at).cast::<u64>().read_unaligned() == b.add(at).cast::<u64>().read_unaligned();
        let halves = |at: usize| a.add(at).cast::<u32>().read_unaligned() == b.add(at).cast::<u32>().read_unaligned();
        if len >= 8 {
            let mut at = 0;
            while at + 8 < len {
                if !words(at) {
                    return false;
                }
                at += 8;
            }
            return words(len - 8);
        }
        if len >= 4 {
            return halves(0) && halves(len - 4);
        }
        len == 0 || *a == *b && *a.add(len / 2) == *b.add(len / 2) && *a.add(len - 1) == *b.add(len - 1)
    }
}

/// Where the bytes of a string start.
#[inline(always)]
pub(crate) fn bytes_of(string: *const StrHeader) -> *const u8 {
    string.cast::<u8>().wrapping_add(STR_DATA)
}

/// Is the string's truth false: is it empty, or `0`? For paths that must not call.
///
/// # Safety
/// `string` is live.
#[inline(always)]
pub unsafe fn is_false(string: *const StrHeader) -> bool {
    // SAFETY: as promised: these are its bytes.
    !crate::convert::str_to_bool(unsafe { std::slice::from_raw_parts(bytes_of(string), (*string).len) })
}

/// The empty string and the strings of one byte.
mod statics {
    use super::*;
    use crate::hash::hash_short;

    #[repr(C)]
    struct StaticStr {
        head: StrHeader,
        bytes: [u8; 8],
    }
    struct Statics([StaticStr; 257]);
    // SAFETY: never written: immortal, and hashed at compile time.
    unsafe impl Sync for Statics {}

    const fn entry(n: usize) -> StaticStr {
        let len = if n == 256 { 0 } else { 1 };
        let mut bytes = [0u8; 8];
        if len == 1 {
            bytes[0] = n as u8;
        }
        let hash = if len == 1 { hash_short(&[n as u8]) } else { hash_short(&[]) };
        StaticStr {
            head: StrHeader {
                header: Header::immortal(Kind::String, NOT_COLLECTABLE | INTERNED),
                hash: Cell::new(hash),
                len,
            },
            bytes,
        }
    }
    static STATICS: Statics = {
        let mut all = [const { entry(256) }; 257];
        let mut n = 0;
        while n < 256 {
            all[n] = entry(n);
            n += 1;
        }
        Statics(all)
    };

    #[inline(always)]
    pub fn get(n: usize) -> PStr {
        let entry = &raw const STATICS.0[n];
        // SAFETY: the address of a static; nothing writes through it, because it is immortal.
        PStr(unsafe { NonNull::new_unchecked(entry.cast_mut().cast()) })
    }
}

#[path = "string_builder.rs"]
mod builder;
pub use builder::PStrBuilder;
