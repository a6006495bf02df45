//! `ReflectionUnionType`.

use crate::{reflection_type, state};
use jumbo_abi::{Cx, PArray, PObject, Res};

pub fn get_types(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let ty = state::ty(cx, this)?;
    reflection_type::list(cx, reflection_type::alternatives(&ty))
}
