//! RecursiveArrayIterator: elements that are arrays or objects have children.

use crate::array_object::{self, CHILD_ARRAYS_ONLY};
use jumbo_abi::{ClassPtr, Cx, PObject, Res, Value, View};

pub fn has_children(cx: &mut Cx, this: &PObject) -> bool {
    let value = array_object::current(cx, this);
    value.is_array() || value.is_object() && array_object::get_flags(cx, this) & CHILD_ARRAYS_ONLY == 0
}

pub fn get_children(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let value = array_object::current(cx, this);
    let class = ClassPtr::of(this);
    let flags = array_object::get_flags(cx, this);
    if let View::Object(o) = value.view() {
        if flags & CHILD_ARRAYS_ONLY != 0 {
            return Ok(Value::null());
        }
        if ClassPtr::of(o).is_a(class) {
            return Ok(value);
        }
    }
    if value.is_null() {
        return Ok(Value::null());
    }
    cx.instantiate(class, &[value, Value::from(flags)]).map(Value::from)
}
