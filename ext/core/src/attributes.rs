//! The predefined attributes.

use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassHooks, Cx, PArray, PObject, PStr, Res, Value};

/// Hides the value from dumps and casts.
pub static SENSITIVE_VALUE: ClassHooks = ClassHooks { properties: Some(no_properties), ..ClassHooks::NONE };

fn no_properties(_cx: &mut Cx, _object: &PObject, _purpose: Purpose) -> Res<Option<PArray>> {
    Ok(Some(PArray::new()))
}

/// The constructor of attributes without state.
pub fn marker(_cx: &mut Cx, _this: &PObject) {}

/// `Attribute::__construct`
pub fn attribute(_cx: &mut Cx, this: &PObject, flags: i64) {
    this.assign_slot(0, Value::from(flags));
}

/// `Deprecated::__construct`
pub fn deprecated(cx: &mut Cx, this: &PObject, message: Option<&PStr>, since: Option<&PStr>) -> Res<()> {
    if !this.slot(0).is_undef() {
        return Err(cx.throw_error("Cannot modify readonly property Deprecated::$message"));
    }
    let value = |text: Option<&PStr>| text.map_or_else(Value::null, Value::from);
    this.set_slot(0, value(message));
    this.set_slot(1, value(since));
    Ok(())
}

/// `SensitiveParameterValue::__construct`
pub fn sensitive_value(_cx: &mut Cx, this: &PObject, value: &Value) {
    this.set_slot(0, value.clone());
}

pub fn get_value(_cx: &mut Cx, this: &PObject) -> Value {
    this.slot(0).copy_deref()
}

pub fn __debug_info(_cx: &mut Cx, _this: &PObject) -> PArray {
    PArray::new()
}
