//! The hash of names and other keys that no request chooses: short, and quick above all.

use std::hash::{BuildHasherDefault, Hasher};

/// Hash of the names of members and of class ids: quick, and not meant for keys that a stranger chooses in number.
#[derive(Default, Clone, Copy)]
pub struct NameHasher(u64);

impl NameHasher {
    const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;

    #[inline(always)]
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(Self::FACTOR);
    }
}

impl Hasher for NameHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
        let rest = chunks.remainder();
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.add(u64::from_le_bytes(word));
        }
    }
    #[inline(always)]
    fn write_u32(&mut self, n: u32) {
        self.add(n as u64);
    }
    #[inline(always)]
    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// A map by names or numbers of a program's text.
pub type NameMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<NameHasher>>;
/// A set of names or numbers of a program's text.
pub type NameSet<K> = std::collections::HashSet<K, BuildHasherDefault<NameHasher>>;
