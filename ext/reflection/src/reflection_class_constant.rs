//! `ReflectionClassConstant`.

use crate::attributes::{self, Attributes, target};
use crate::members::{self, modifiers as m};
use crate::reflection_type;
use crate::state::{self, CLASS, NAME, Reflected};
use crate::text::{self as texts, Text};
use crate::text;
use jumbo_abi::{Cx, PArray, PObject, PStr, Res, Value, member_flags};

pub fn __construct(cx: &mut Cx, this: &PObject, class: &Value, constant: &PStr) -> Res<()> {
    let class = state::class_of_argument(cx, class, 0)?;
    let Some(c) = class.get().constants.get(constant.as_bytes()) else {
        return Err(state::exception(cx, text!("Constant ", class.name.as_bytes(), "::", constant.as_bytes(), " does not exist")));
    };
    state::set(this, Reflected::ClassConstant { class, name: c.name.clone() });
    this.set_slot(NAME, Value::from(&c.name));
    this.set_slot(CLASS, Value::from(&c.class.name));
    Ok(())
}

/// The program may have unset the name.
fn check_name(cx: &mut Cx, this: &PObject) -> Res<()> {
    if this.slot(NAME).is_undef() {
        return Err(cx.throw_error("Typed property ReflectionClassConstant::$name must not be accessed before initialization"));
    }
    Ok(())
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<Value> {
    check_name(cx, this)?;
    let c = state::class_constant(cx, this)?;
    let mut out = Text::new();
    texts::class_constant(cx, c.class, c, 0, &mut out)?;
    Ok(Value::from(out.finish()?))
}

pub fn get_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    check_name(cx, this)?;
    Ok(state::class_constant(cx, this)?.name.clone())
}

pub fn get_value(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let c = state::class_constant(cx, this)?;
    Ok(cx.engine().class_constant(cx, c.class, c.name.as_bytes())?.unwrap_or_default())
}

fn has(cx: &mut Cx, this: &PObject, modifier: i64) -> Res<bool> {
    Ok(members::of_member(state::class_constant(cx, this)?.flags) & modifier != 0)
}

pub fn is_public(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::PUBLIC)
}
pub fn is_private(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::PRIVATE)
}
pub fn is_protected(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::PROTECTED)
}
pub fn is_final(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::FINAL)
}

pub fn get_modifiers(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(members::of_member(state::class_constant(cx, this)?.flags))
}

pub fn get_declaring_class(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let class = state::class_constant(cx, this)?.class;
    state::make_class(cx, class)
}

pub fn get_doc_comment(cx: &mut Cx, this: &PObject) -> Res<Value> {
    Ok(state::or_false(state::class_constant(cx, this)?.doc_comment.as_ref()))
}

pub fn get_attributes(cx: &mut Cx, this: &PObject, name: Option<&PStr>, flags: i64) -> Res<PArray> {
    let c = state::class_constant(cx, this)?;
    let unit = attributes::unit_of_member(c.class, c.attributes(), attributes::of_constants);
    let list = Attributes::of_unit(unit, c.attributes());
    attributes::list(cx, list, Some(c.class), target::CLASS_CONSTANT, name, flags)
}

pub fn is_enum_case(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::class_constant(cx, this)?.is(member_flags::ENUM_CASE))
}

pub fn is_deprecated(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::class_constant(cx, this)?.is(member_flags::DEPRECATED))
}

pub fn has_type(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::class_constant(cx, this)?.ty.is_some())
}

pub fn get_type(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let ty = state::class_constant(cx, this)?.ty.as_ref();
    reflection_type::make_optional(cx, ty)
}
