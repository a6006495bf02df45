//! `ReflectionReference`.

use crate::state::{self, Reflected};
use jumbo_abi::{ClassPtr, Cx, Key, PArray, PObject, PStr, Res, Value, View};
use std::hash::BuildHasher;

pub fn from_array_element(cx: &mut Cx, _class: ClassPtr, array: &PArray, key: &Value) -> Res<Option<PObject>> {
    let key = match key.view() {
        View::Int(n) => Key::Int(n),
        View::Str(s) => Key::from_str(s),
        _ => return Err(cx.arg_type_error(2, "must be of type string|int")),
    };
    let Some(value) = array.get(&key) else { return Err(state::exception(cx, "Array key not found")) };
    let Some(reference) = value.as_ref() else { return Ok(None) };
    // A reference that only the array holds is none, unless it holds the array in turn.
    let holds_itself = reference.with(|v| v.as_array().is_some_and(|a| a.same(array)));
    if reference.ref_count() <= 1 && !holds_itself {
        return Ok(None);
    }
    let held = Value::from(reference.clone());
    state::make(cx, b"reflectionreference", Reflected::Reference(held)).map(Some)
}

/// Secret of an instance, so that ids say nothing about addresses.
#[derive(Default)]
struct Secret(std::hash::RandomState);

pub fn get_id(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let held = state::reference(cx, this)?;
    let raw = held.raw().bits;
    let secret = &cx.state::<Secret>().0;
    let mut id = Vec::with_capacity(20);
    for part in 0..3u8 {
        id.extend_from_slice(&secret.hash_one((raw, part)).to_le_bytes());
    }
    id.truncate(20);
    Ok(PStr::new(&id))
}
