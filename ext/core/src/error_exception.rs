//! ErrorException.

use jumbo_abi::throwable::slots;
use jumbo_abi::{Cx, PObject, PStr, Value};

pub fn __construct(
    cx: &mut Cx,
    this: &PObject,
    message: Option<&PStr>,
    code: i64,
    severity: i64,
    filename: Option<&PStr>,
    line: Option<i64>,
    previous: Option<&PObject>,
) {
    crate::exception::__construct(cx, this, message, code, previous);
    this.assign_slot(slots::SEVERITY, Value::from(severity));
    if let Some(filename) = filename {
        this.assign_slot(slots::FILE, Value::from(filename));
    }
    // A file without a line has no line that would be right.
    if line.is_some() || filename.is_some() {
        this.assign_slot(slots::LINE, Value::from(line.unwrap_or(0)));
    }
}

pub fn get_severity(_cx: &mut Cx, this: &PObject) -> Value {
    this.slot(slots::SEVERITY).copy_deref()
}
