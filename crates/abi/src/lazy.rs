//! Lazy objects, as ReflectionClass and ReflectionProperty ask for them: see [`Engine::lazy`](crate::Engine::lazy).

use crate::{Callable, ClassPtr, PObject, PStr, Value};

/// Option of lazy objects, with PHP's number: serialize() does not initialise.
pub const SKIP_INITIALIZATION_ON_SERIALIZE: i64 = 8;
/// Option of resetting, with PHP's number: the destructor is not called.
pub const SKIP_DESTRUCTOR: i64 = 16;

/// What is asked of the engine. The answer is a value; null where nothing is said.
pub enum Lazy<'a> {
    /// A new lazy object; the options were checked. Classes that cannot be lazy give an Error.
    New { class: ClassPtr, initializer: &'a Callable, proxy: bool, options: i64 },
    /// Makes an existing object lazy. The class is the one that Reflection stands for.
    Reset { class: ClassPtr, object: &'a PObject, initializer: &'a Callable, proxy: bool, options: i64 },
    /// Initialises; the object, or the real instance of a proxy.
    Initialize(&'a PObject),
    /// Bool.
    IsUninitialized(&'a PObject),
    /// Initialises without calling the initializer; the object.
    MarkInitialized(&'a PObject),
    /// The initializer of an object that is not initialised, or null.
    Initializer(&'a PObject),
    /// Bool: is this property lazy still?
    IsLazyProperty { object: &'a PObject, class: ClassPtr, name: &'a PStr },
    /// The property gets its default and does not initialise any more.
    SkipProperty { object: &'a PObject, class: ClassPtr, name: &'a PStr },
    /// Writes the property without initialising; the value was coerced.
    SetRaw { object: &'a PObject, class: ClassPtr, name: &'a PStr, value: Value },
    /// `"ghost"` or `"proxy"` for objects that var_dump marks as lazy (uninitialised ones, and proxies), else null.
    Kind(&'a PObject),
}
