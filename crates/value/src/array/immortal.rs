//! Immortal arrays: the literals of units. They live in a heap of their own that is never reset, so that building one is
//! building any array; afterwards the header is marked, and nobody writes to it again.
//!
//! Equal literals are one array: code that is compiled again and again (eval) needs its literals once.

use super::{Key, KeyRef, PArray};
use crate::Value;
use crate::hash::hash_bytes;
use crate::header::{IMMORTAL, IMMORTAL_COUNT};
use crate::heap::{Heap, OwnedHeap};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// The heap of literals, used by one thread at a time.
struct Literals {
    heap: OwnedHeap,
    /// By the hash of their words.
    arrays: HashMap<u64, Vec<PArray>>,
}
// SAFETY: the heap is entered only while the mutex around it is held, and nothing in it is written later.
unsafe impl Send for Literals {}

static LITERALS: OnceLock<Mutex<Literals>> = OnceLock::new();

/// The words of an element. Immortal strings are interned and immortal arrays are made here, so equal elements have equal words.
fn words(key: KeyRef<'_>, value: &Value) -> [u64; 4] {
    let (kind, key) = match key {
        KeyRef::Int(i) => (0, i as u64),
        KeyRef::Str(s) => (1, s.as_ptr().addr() as u64),
    };
    let raw = value.raw();
    [kind, key, raw.tag, raw.bits]
}

fn hash_of(entries: &[(Key, Value)]) -> u64 {
    let mut bytes = Vec::with_capacity(entries.len() * 32);
    for (key, value) in entries {
        for word in words(key.as_ref(), value) {
            bytes.extend_from_slice(&word.to_ne_bytes());
        }
    }
    hash_bytes(&bytes)
}

/// An array with NAN in it is like no other: `[NAN] == [NAN]` is false, and an array is equal to itself.
fn same(array: &PArray, entries: &[(Key, Value)]) -> bool {
    let is_nan = |value: &Value| value.as_float().is_some_and(f64::is_nan);
    array.len() == entries.len()
        && array.iter().zip(entries).all(|((k, v), (l, w))| words(k, v) == words(l.as_ref(), w) && !is_nan(v))
}

impl PArray {
    /// An array that is never freed. Its strings and arrays must be immortal themselves.
    pub fn immortal(entries: Vec<(Key, Value)>) -> PArray {
        if entries.is_empty() {
            return PArray::new();
        }
        let literals = LITERALS.get_or_init(|| Mutex::new(Literals { heap: Heap::new(), arrays: HashMap::new() }));
        let mut literals = literals.lock().unwrap_or_else(|e| e.into_inner());
        let Literals { heap, arrays } = &mut *literals;
        let known = arrays.entry(hash_of(&entries)).or_default();
        if let Some(array) = known.iter().find(|array| same(array, &entries)) {
            return array.clone();
        }
        let _entered = heap.enter();
        let array = PArray::from_entries(entries);
        let header = &array.head().header;
        header.rc.set(IMMORTAL_COUNT);
        header.set(IMMORTAL);
        known.push(array.clone());
        array
    }
}
