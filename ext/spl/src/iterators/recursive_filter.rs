//! RecursiveFilterIterator: children are filtered by the same class.

use super::{Extra, construct, inner};
use jumbo_abi::{ClassPtr, Cx, PObject, Res, Value};

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &PObject) -> Res<()> {
    construct(cx, this, iterator, Extra::Plain, "RecursiveFilterIterator")
}

pub fn has_children(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let answer = inner(cx, this)?.call(cx, b"haschildren", &[])?;
    crate::support::truth(cx, &answer)
}

/// The children of the wrapped iterator in a new iterator of this one's class, whose constructor gets `more` behind them.
pub(crate) fn children(cx: &mut Cx, this: &PObject, more: &[Value]) -> Res<Value> {
    let children = inner(cx, this)?.call(cx, b"getchildren", &[])?;
    if !children.is_object() {
        return Ok(Value::null());
    }
    let mut args = vec![children];
    args.extend_from_slice(more);
    cx.instantiate(ClassPtr::of(this), &args).map(Value::from)
}

pub fn get_children(cx: &mut Cx, this: &PObject) -> Res<Value> {
    children(cx, this, &[])
}
