//! NoRewindIterator: goes on where the wrapped iterator stands.

use super::{Extra, construct, inner};
use jumbo_abi::{Cx, PObject, Res, Value};

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &PObject) -> Res<()> {
    construct(cx, this, iterator, Extra::Plain, "NoRewindIterator")
}

pub fn rewind(_cx: &mut Cx, _this: &PObject) {}

pub fn valid(cx: &mut Cx, this: &PObject) -> Res<bool> {
    inner(cx, this)?.inner_valid(cx)
}

pub fn key(cx: &mut Cx, this: &PObject) -> Res<Value> {
    inner(cx, this)?.live_key(cx)
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<Value> {
    inner(cx, this)?.live_current(cx)
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    inner(cx, this)?.next_inner(cx, false)
}
