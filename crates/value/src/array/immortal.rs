//! Immortal arrays: the literals of units. They live in a heap of their own that is never reset, so that building one is
//! building any array; afterwards the header is marked, and nobody writes to it again.

use super::{Key, PArray};
use crate::Value;
use crate::header::{IMMORTAL, IMMORTAL_COUNT};
use crate::heap::{Heap, OwnedHeap};
use std::sync::{Mutex, OnceLock};

/// The heap of literals, used by one thread at a time.
struct LiteralHeap(OwnedHeap);
// SAFETY: the heap is entered only while the mutex around it is held, and nothing in it is written later.
unsafe impl Send for LiteralHeap {}

static LITERALS: OnceLock<Mutex<LiteralHeap>> = OnceLock::new();

impl PArray {
    /// An array that is never freed. Its strings and arrays must be immortal themselves.
    pub fn immortal(entries: Vec<(Key, Value)>) -> PArray {
        if entries.is_empty() {
            return PArray::new();
        }
        let heap = LITERALS.get_or_init(|| Mutex::new(LiteralHeap(Heap::new())));
        let heap = heap.lock().unwrap_or_else(|e| e.into_inner());
        let _entered = heap.0.enter();
        let array = PArray::from_entries(entries);
        let header = &array.head().header;
        header.rc.set(IMMORTAL_COUNT);
        header.set(IMMORTAL);
        array
    }
}
