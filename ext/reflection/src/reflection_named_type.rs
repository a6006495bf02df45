//! `ReflectionNamedType`.

use crate::{reflection_type, state};
use jumbo_abi::{Cx, PObject, Res, Value};

pub fn get_name(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let ty = state::ty(cx, this)?;
    Ok(Value::from(reflection_type::plain_name(&ty)))
}

pub fn is_builtin(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let ty = state::ty(cx, this)?;
    Ok(reflection_type::is_builtin(&ty))
}
