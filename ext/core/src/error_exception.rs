//! ErrorException.

use crate::exception::put;
use jumbo_abi::throwable::slots;
use jumbo_abi::{Cx, PObject, PStr, Res, Value};

pub fn __construct(
    cx: &mut Cx,
    this: &PObject,
    message: Option<&PStr>,
    code: i64,
    severity: i64,
    filename: Option<&PStr>,
    line: Option<i64>,
    previous: Option<&PObject>,
) -> Res<()> {
    crate::exception::__construct(cx, this, message, code, previous)?;
    put(cx, this, slots::SEVERITY, b"severity", Value::from(severity))?;
    if let Some(filename) = filename {
        put(cx, this, slots::FILE, b"file", Value::from(filename))?;
    }
    // A file without a line has no line that would be right.
    if line.is_some() || filename.is_some() {
        put(cx, this, slots::LINE, b"line", Value::from(line.unwrap_or(0)))?;
    }
    Ok(())
}

pub fn get_severity(_cx: &mut Cx, this: &PObject) -> Value {
    this.slot(slots::SEVERITY).copy_deref()
}
