//! `ReflectionZendExtension`: there are none, so that none can be made.

use crate::state;
use crate::text;
use jumbo_abi::{Cx, PObject, PStr, Res, Stop};

pub fn __construct(cx: &mut Cx, _this: &PObject, name: &PStr) -> Res<()> {
    Err(state::exception(cx, text!("Zend Extension \"", name.as_bytes(), "\" does not exist")))
}

fn none(cx: &mut Cx) -> Stop {
    cx.throw_error("Internal error: Failed to retrieve the reflection object")
}

pub fn __to_string(cx: &mut Cx, _this: &PObject) -> Res<PStr> {
    Err(none(cx))
}
pub fn get_name(cx: &mut Cx, _this: &PObject) -> Res<PStr> {
    Err(none(cx))
}
pub fn get_version(cx: &mut Cx, _this: &PObject) -> Res<PStr> {
    Err(none(cx))
}
pub fn get_author(cx: &mut Cx, _this: &PObject) -> Res<PStr> {
    Err(none(cx))
}
pub fn get_url(cx: &mut Cx, _this: &PObject) -> Res<PStr> {
    Err(none(cx))
}
pub fn get_copyright(cx: &mut Cx, _this: &PObject) -> Res<PStr> {
    Err(none(cx))
}
