//! PHP values, strings, arrays, object headers, references, the request heap and the cycle collector; knows nothing of what
//! classes mean, or of I/O.
//!
//! Two views of a value: [`Raw`] is two plain words, counted by hand (interpreter, native code); [`Value`] and the handles
//! [`PStr`], [`PArray`], [`PObject`], [`PRef`], [`PResource`] count by Clone and Drop. Allocation takes no parameter: the heap
//! of the instance that runs on this thread is current ([`Heap::enter`]).

pub mod allocator;
pub mod array;
mod asan;
pub mod barrier;
pub mod compare;
pub mod convert;
pub mod gc;
pub mod hash;
pub mod header;
pub mod heap;
mod heap_vec;
pub mod number;
pub mod object;
mod pages;
mod store;
mod sys;
pub mod raw;
pub mod reference;
pub mod resource;
pub mod string;
pub mod value;

pub use array::{ArrayHeader, Key, KeyRef, PArray};
pub use gc::GcStatus;
pub use hash::hash_bytes;
pub use header::Header;
pub use heap::{Dying, Heap, HeapCharge, HeapGuard, MemoryLimit, OutOfMemory, OwnedHeap};
pub use heap_vec::HeapVec;
pub use object::{ClassHead, Native, ObjHeader, PObject};
pub use raw::{COUNTED, Kind, Raw, tag};
pub use reference::{PRef, RefHeader};
pub use resource::{NativeRef, PResource, ResHeader};
pub use string::{PStr, PStrBuilder, StrHeader, numeric_key};
pub use value::{ArrayMut, Value, View};
