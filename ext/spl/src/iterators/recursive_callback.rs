//! RecursiveCallbackFilterIterator: children are filtered by the same callback.

use super::{Extra, construct, inner};
pub use super::recursive_filter::has_children;
use jumbo_abi::{Callable, Cx, PObject, Res, Value};

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &PObject, callback: &Callable) -> Res<()> {
    construct(cx, this, iterator, Extra::Callback(callback.value.copy_deref()), "RecursiveCallbackFilterIterator")
}

pub fn get_children(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let extra = inner(cx, this)?.extra();
    match &*extra {
        Extra::Callback(callback) => super::recursive_filter::children(cx, this, std::slice::from_ref(callback)),
        _ => Ok(Value::null()),
    }
}
