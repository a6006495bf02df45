//! `ReflectionEnumUnitCase`.

use crate::state::{self, NAME, Reflected};
use crate::{reflection_class_constant, text};
use jumbo_abi::{Cx, PObject, PStr, Res, Value, member_flags};

pub fn __construct(cx: &mut Cx, this: &PObject, class: &Value, constant: &PStr) -> Res<()> {
    reflection_class_constant::__construct(cx, this, class, constant)?;
    let c = state::class_constant(cx, this)?;
    if c.is(member_flags::ENUM_CASE) {
        return Ok(());
    }
    Err(state::exception(cx, text!("Constant ", c.class.name.as_bytes(), "::", c.name.as_bytes(), " is not a case")))
}

pub fn get_enum(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let class = state::class_constant(cx, this)?.class;
    let object = state::make(cx, b"reflectionenum", Reflected::Class { class, object: None })?;
    object.set_slot(NAME, Value::from(&class.name));
    Ok(object)
}

pub fn get_value(cx: &mut Cx, this: &PObject) -> Res<Value> {
    reflection_class_constant::get_value(cx, this)
}
