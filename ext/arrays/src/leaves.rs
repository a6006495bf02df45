//! Short ways into the functions that pages call most, for plain arrays ([`Leaf`]).

use crate::{access, util};
use jumbo_abi::Cx;
use jumbo_abi::desc::Leaf;
use jumbo_value::array::KeyRef;
use jumbo_value::number::starts_like_number;
use jumbo_value::{PArray, PRef, PStr, Raw, Value, View};

pub const LEAVES: &[(&str, Leaf)] = &[
    ("count", count),
    ("array_key_exists", array_key_exists),
    ("in_array", in_array),
    ("array_keys", |_, args| of_one(args, |array| PArray::from_values(array.keys().map(KeyRef::to_value)))),
    ("array_values", |cx, args| of_one(args, |array| access::array_values(cx, array))),
    ("array_pop", |_, args| taken(args, PArray::pop)),
    ("array_shift", |_, args| taken(args, PArray::shift)),
    ("array_push", array_push),
];

/// Longer arrays are for the builtin itself.
const LEN_MAX: usize = 256;

fn of_one(args: &[Value], answer: impl FnOnce(&PArray) -> PArray) -> Raw {
    match args {
        [array] => array.as_array().filter(|array| array.len() <= LEN_MAX).map_or(Raw::UNDEF, |array| answer(array).into_raw()),
        _ => Raw::UNDEF,
    }
}

/// What `take` takes out of the array in a reference.
fn taken(args: &[Value], take: impl FnOnce(&mut PArray) -> Option<Value>) -> Raw {
    match args {
        [array] => match own_array(array) {
            Some(array) => util::update_array(array, take).flatten().map_or(Raw::NULL, |value| value.into_deref().into_raw()),
            None => Raw::UNDEF,
        },
        _ => Raw::UNDEF,
    }
}

/// The reference to an array that is not long.
fn own_array(value: &Value) -> Option<&PRef> {
    let is_short = value.deref().as_array().is_some_and(|array| array.len() <= LEN_MAX);
    value.as_ref().filter(|_| is_short)
}

fn array_push(_cx: &mut Cx, args: &[Value]) -> Raw {
    let [array, value] = args else { return Raw::UNDEF };
    let Some(array) = own_array(array) else { return Raw::UNDEF };
    let pushed = util::update_array(array, |array| array.push(value.copy_deref()).is_ok().then(|| array.len() as i64)).flatten();
    pushed.map_or(Raw::UNDEF, Raw::int)
}

fn count(_cx: &mut Cx, args: &[Value]) -> Raw {
    match args {
        [list] => list.as_array().map_or(Raw::UNDEF, |list| Raw::int(list.len() as i64)),
        _ => Raw::UNDEF,
    }
}

fn array_key_exists(_cx: &mut Cx, args: &[Value]) -> Raw {
    let [key, array] = args else { return Raw::UNDEF };
    let Some(array) = array.as_array() else { return Raw::UNDEF };
    let key = match key.view() {
        View::Str(key) => KeyRef::from_str(key),
        View::Int(key) => KeyRef::Int(key),
        _ => return Raw::UNDEF,
    };
    Raw::bool(array.get_ref(key).is_some())
}

fn in_array(_cx: &mut Cx, args: &[Value]) -> Raw {
    let (needle, list, strict) = match args {
        [needle, list] => (needle, list, false),
        [needle, list, strict] if strict.is_bool() => (needle, list, strict.is_true()),
        _ => return Raw::UNDEF,
    };
    match (needle.view(), list.as_array()) {
        (View::Str(needle), Some(list)) if list.len() <= LEN_MAX => among_strings(needle, list, strict),
        _ => Raw::UNDEF,
    }
}

fn among_strings(needle: &PStr, list: &PArray, strict: bool) -> Raw {
    // Two numeric strings may be equal as numbers.
    let is_text = strict || !starts_like_number(needle);
    for value in list.values() {
        match value.view_deref() {
            View::Str(value) if value == needle => return Raw::TRUE,
            View::Str(value) if is_text || !starts_like_number(value) => {}
            View::Undef | View::Null | View::Bool(_) | View::Int(_) | View::Float(_) if strict => {}
            _ => return Raw::UNDEF,
        }
    }
    Raw::FALSE
}
