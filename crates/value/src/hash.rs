//! The hash of string keys: two multiplications for short strings, one for each 16 bytes of long ones.
//!
//! In the manner of wyhash: the products' halves are folded together. Every place that stores a hash (strings, units, arrays)
//! uses this function; zero is kept for "not computed".
//!
//! Strings of four bytes and more are hashed with secrets of the process, so that nobody can prepare keys that collide: see [`seed`].
//! Shorter ones, of which there are few, have hashes that the compiler knows.
//!
//! The lowest bits of the last byte are not mixed but become the lowest bits of the hash: keys that count (`row_10`, `row_11`, …) lie side by side in a
//! table's index, in one cache line. That is no help to who wants collisions: such keys differ in their hashes, by those bits.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

const K0: u64 = 0xa076_1d64_78bd_642f;
const K1: u64 = 0xe703_7ed1_a0b4_28db;
const K2: u64 = 0x8ebc_6af0_9c88_c6e3;

static SECRETS: [AtomicU64; 3] = [AtomicU64::new(K0), AtomicU64::new(K1), AtomicU64::new(K2)];

/// Chooses the secrets of the process. Must be called before the first string is hashed (at the start of `main`), once.
pub fn seed(random: [u64; 3]) {
    for (secret, random) in SECRETS.iter().zip(random) {
        secret.store(random, Ordering::Relaxed);
    }
}

#[inline(always)]
fn secret(n: usize) -> u64 {
    SECRETS[n].load(Ordering::Relaxed)
}

#[inline(always)]
const fn fold(a: u64, b: u64) -> u64 {
    let product = (a as u128) * (b as u128);
    (product as u64) ^ ((product >> 64) as u64)
}

#[inline(always)]
const fn finish(a: u64, b: u64, seed: u64, mask: u64, len: usize) -> u64 {
    let hash = fold(K1 ^ len as u64, fold(a ^ mask, b ^ seed));
    if hash == 0 { 1 } else { hash }
}

/// The hash of at most three bytes, at compile time.
pub(crate) const fn hash_short(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    assert!(len < 4);
    let a = if len == 0 { 0 } else { (bytes[0] as u64) << 16 | (bytes[len >> 1] as u64) << 8 | bytes[len - 1] as u64 };
    finish(a, 0, K0, K1, len)
}

/// These bits of the last byte stay as they are.
const COUNTING: u64 = 3;
/// Set in such a hash, which thus is never zero. Neither the place in an index nor the tags of other hash maps come from this bit.
const NOT_ZERO: u64 = 1 << 55;

/// The hash of a string whose last words are `a` and `b`, the highest byte of `b` being its last one. `a` is to be without that byte's counting bits.
#[inline(always)]
fn finish_counting(a: u64, b: u64, last_byte_at: u32, seed: u64, mask: u64, len: usize) -> u64 {
    let counting = COUNTING << last_byte_at;
    finish(a, b & !counting, seed, mask, len) & !COUNTING | (b & counting) >> last_byte_at | NOT_ZERO
}

#[inline(always)]
fn read64(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

#[inline(always)]
fn read32(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u64::from(u32::from_le_bytes(word))
}

/// The hash of a string key. Never zero.
#[inline]
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    if len >= 16 {
        return hash_long(bytes);
    }
    // The words overlap: what is left out of the first one by its last byte's bits is in the second one, or it is the last byte itself.
    if len >= 8 {
        finish_counting(read64(bytes, 0) & !(COUNTING << 56), read64(bytes, len - 8), 56, secret(0), secret(1), len)
    } else if len >= 4 {
        finish_counting(read32(bytes, 0) & !(COUNTING << 24), read32(bytes, len - 4), 24, secret(0), secret(1), len)
    } else {
        hash_short(bytes)
    }
}

fn hash_long(bytes: &[u8]) -> u64 {
    let mut seed = secret(0);
    let mask = secret(2);
    let mut rest = bytes;
    while rest.len() > 16 {
        seed = fold(read64(rest, 0) ^ mask, read64(rest, 8) ^ seed);
        rest = &rest[16..];
    }
    let end = bytes.len();
    finish_counting(read64(bytes, end - 16), read64(bytes, end - 8), 56, seed, secret(1), end)
}

/// The same hash for maps whose keys are byte strings: as quick, and as hard to prepare collisions for.
#[derive(Default, Clone, Copy)]
pub struct BytesHasher(u64);

/// Hash maps of byte strings use [`BytesHasher`].
pub type BuildBytesHasher = BuildHasherDefault<BytesHasher>;

impl Hasher for BytesHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0 = self.0.rotate_left(25) ^ hash_bytes(bytes);
    }
    /// The length comes before the bytes, whose hash depends on it.
    #[inline(always)]
    fn write_usize(&mut self, _length: usize) {}
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// The hash of maps whose keys are addresses, numbers and types of this process's own making, which nobody can choose.
#[derive(Default, Clone, Copy)]
pub struct WordHasher(u64);

/// A hash map of such keys.
pub type WordMap<K, V> = HashMap<K, V, BuildHasherDefault<WordHasher>>;

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    #[inline(always)]
    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }
    #[inline(always)]
    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }
    #[inline(always)]
    fn write_u64(&mut self, n: u64) {
        self.0 = fold(self.0 ^ n ^ K0, K1);
    }
    #[inline(always)]
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_collisions_among_similar_keys() {
        let mut seen = std::collections::HashSet::new();
        for n in 0..if cfg!(miri) { 100 } else { 20_000u32 } {
            for key in [format!("{n}"), format!("key_{n}"), format!("a rather long key number {n} of a list")] {
                assert!(seen.insert(hash_bytes(key.as_bytes())), "{key}");
            }
        }
        assert_ne!(hash_bytes(b""), 0);
    }

    #[test]
    fn short_is_the_same_at_compile_time() {
        const A: u64 = hash_short(b"abc");
        assert_eq!(A, hash_bytes(b"abc"));
    }
}
