//! CallbackFilterIterator.

use super::{Extra, construct, inner};
use crate::support::truth;
use jumbo_abi::{Callable, Cx, PObject, Res, Value};

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &PObject, callback: &Callable) -> Res<()> {
    construct(cx, this, iterator, Extra::Callback(callback.value.copy_deref()), "CallbackFilterIterator")
}

pub fn accept(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let inner = inner(cx, this)?;
    if !inner.has_current() {
        return Ok(false);
    }
    let extra = inner.extra();
    let Extra::Callback(callback) = &*extra else { return Ok(false) };
    let object = inner.object().map_or(Value::null(), Value::from);
    let answer = cx.call_value(callback, &[inner.current(), inner.key(), object])?;
    truth(cx, &answer)
}
