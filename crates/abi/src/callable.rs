//! A resolved callable.

use crate::{ClassPtr, FnPtr};
use jumbo_value::{PObject, PStr, Value};

/// What a `callable` parameter receives: resolved once, called many times with [`Cx::call`](crate::Cx::call).
#[derive(Clone)]
pub struct Callable {
    pub function: FnPtr,
    pub this: Option<PObject>,
    /// Called class of a static method (late static binding).
    pub class: Option<ClassPtr>,
    /// The Closure object that holds captured variables, when it is one.
    pub closure: Option<PObject>,
    /// Name asked for, when it goes through `__call` or `__callStatic`.
    pub magic_name: Option<PStr>,
    /// The value it was resolved from.
    pub value: Value,
}
