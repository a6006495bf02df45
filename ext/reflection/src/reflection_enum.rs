//! `ReflectionEnum`.

use crate::state;
use crate::{reflection_class, reflection_type, text};
use jumbo_abi::class::ClassConst;
use jumbo_abi::{ClassPtr, Cx, PArray, PObject, PStr, Res, Type, Value, member_flags};

pub fn __construct(cx: &mut Cx, this: &PObject, object_or_class: &Value) -> Res<()> {
    reflection_class::__construct(cx, this, object_or_class)?;
    let class = state::class(cx, this)?;
    if class.is_enum() {
        return Ok(());
    }
    Err(state::exception_with_code(cx, text!("Class \"", class.name.as_bytes(), "\" is not an enum"), -1))
}

fn case(class: ClassPtr, name: &[u8]) -> Option<&'static ClassConst> {
    class.get().constants.get(name).filter(|c| c.is(member_flags::ENUM_CASE))
}

fn make_case(cx: &mut Cx, class: ClassPtr, c: &ClassConst) -> Res<PObject> {
    let kind: &[u8] = if class.enum_backing != 0 { b"reflectionenumbackedcase" } else { b"reflectionenumunitcase" };
    state::make_constant(cx, kind, class, c)
}

pub fn has_case(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<bool> {
    let class = state::class(cx, this)?;
    Ok(case(class, name.as_bytes()).is_some())
}

pub fn get_case(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<PObject> {
    let class = state::class(cx, this)?;
    if let Some(c) = case(class, name.as_bytes()) {
        return make_case(cx, class, c);
    }
    let text = match class.constants.contains_key(name.as_bytes()) {
        true => text!(class.name.as_bytes(), "::", name.as_bytes(), " is not a case"),
        false => text!("Case ", class.name.as_bytes(), "::", name.as_bytes(), " does not exist"),
    };
    Err(state::exception(cx, text))
}

pub fn get_cases(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let class = state::class(cx, this)?;
    let mut list = PArray::new();
    for c in class.get().constants.values().filter(|c| c.is(member_flags::ENUM_CASE)) {
        list.append(make_case(cx, class, c)?);
    }
    Ok(list)
}

pub fn is_backed(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::class(cx, this)?.enum_backing != 0)
}

pub fn get_backing_type(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    match state::class(cx, this)?.enum_backing {
        0 => Ok(None),
        mask => reflection_type::make(cx, &Type::of_mask(mask)).map(Some),
    }
}
