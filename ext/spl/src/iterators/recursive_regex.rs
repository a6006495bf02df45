//! RecursiveRegexIterator.

pub use super::recursive_filter::has_children;
use super::{inner, recursive_filter, regex};
use jumbo_abi::{Cx, PObject, PStr, Res, Value};

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &PObject, pattern: &PStr, mode: i64, flags: i64, preg_flags: i64) -> Res<()> {
    regex::construct_regex(cx, this, iterator, pattern, [mode, flags, preg_flags], "RecursiveRegexIterator")
}

pub fn get_children(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let settings = regex::settings(cx, this)?;
    recursive_filter::children(cx, this, &settings)
}

pub fn accept(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let inner = inner(cx, this)?;
    if !inner.has_current() {
        return Ok(false);
    }
    match inner.current().as_array() {
        Some(array) => Ok(!array.is_empty()),
        None => regex::accept(cx, this),
    }
}
