//! EmptyIterator.

use jumbo_abi::{Cx, PObject, Res, Value};

pub fn current(cx: &mut Cx, _this: &PObject) -> Res<Value> {
    Err(cx.throw("BadMethodCallException", "Accessing the value of an EmptyIterator"))
}
pub fn key(cx: &mut Cx, _this: &PObject) -> Res<Value> {
    Err(cx.throw("BadMethodCallException", "Accessing the key of an EmptyIterator"))
}
pub fn next(_cx: &mut Cx, _this: &PObject) {}
pub fn rewind(_cx: &mut Cx, _this: &PObject) {}
pub fn valid(_cx: &mut Cx, _this: &PObject) -> bool {
    false
}
