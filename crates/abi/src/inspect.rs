//! What Reflection asks the engine about things that run or are suspended: closures, generators, fibers.
//!
//! Everything else that Reflection shows stands in linked classes ([`crate::Class`]), functions ([`crate::Function`]) and descriptors.

use crate::{Callable, FnPtr, PArray, PObject, PStr, Value};

/// A Closure object.
pub struct ClosureInfo {
    /// What it calls, with its `$this` and called class.
    pub callable: Callable,
    /// Captured variables in the order of `use`; references are kept as such.
    pub captured: Vec<(PStr, Value)>,
    /// Made from a function or method that exists by itself (`f(...)`, `Closure::fromCallable`).
    pub fake: bool,
}

/// A generator.
pub struct GeneratorInfo {
    /// The function whose code it runs.
    pub function: FnPtr,
    /// The Closure object of that function, when it is one and the generator is not done.
    pub closure: Option<PObject>,
    /// None: the generator is done.
    pub place: Option<GeneratorPlace>,
}

/// Where a generator stands that is not done.
pub struct GeneratorPlace {
    pub this: Option<PObject>,
    /// The innermost generator that it delegates to; itself when it does not delegate.
    pub executing: PObject,
    pub file: PStr,
    pub line: u32,
}

/// A fiber. What is known depends on its state.
#[derive(Default)]
pub struct FiberInfo {
    /// Absent when it has ended.
    pub callable: Option<Value>,
    /// Started and not ended: `place` and `trace` mean something.
    pub alive: bool,
    /// File and line of its topmost frame of PHP code.
    pub place: Option<(PStr, u32)>,
    pub trace: PArray,
}
