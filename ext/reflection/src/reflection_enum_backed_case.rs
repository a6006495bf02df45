//! `ReflectionEnumBackedCase`.

use crate::{reflection_class_constant, reflection_enum_unit_case, state, text};
use jumbo_abi::{Cx, PObject, PStr, Res, Value};

pub fn __construct(cx: &mut Cx, this: &PObject, class: &Value, constant: &PStr) -> Res<()> {
    reflection_enum_unit_case::__construct(cx, this, class, constant)?;
    let c = state::class_constant(cx, this)?;
    if c.class.enum_backing != 0 {
        return Ok(());
    }
    Err(state::exception(cx, text!("Enum case ", c.class.name.as_bytes(), "::", c.name.as_bytes(), " is not a backed case")))
}

pub fn get_backing_value(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let case = reflection_class_constant::get_value(cx, this)?;
    // The slots of a case are its name and its value.
    Ok(case.as_object().filter(|o| o.slot_count() > 1).map_or_else(Value::null, |o| o.slot(1).copy_deref()))
}
