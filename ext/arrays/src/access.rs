//! Counting, searching, keys, and the internal pointer of arrays.

use crate::util::{self, equals_despite};
use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassPtr, Cx, Key, KeyRef, OrFalse, PArray, PObject, PRef, PStr, Res, Stop, Value, View, args};

const COUNT_NORMAL: i64 = 0;
const COUNT_RECURSIVE: i64 = 1;

pub fn count(cx: &mut Cx, value: &Value, mode: i64) -> Res<i64> {
    if mode != COUNT_NORMAL && mode != COUNT_RECURSIVE {
        return Err(cx.arg_value_error(2, "must be either COUNT_NORMAL or COUNT_RECURSIVE"));
    }
    match value.view_deref() {
        View::Array(array) if mode == COUNT_NORMAL => Ok(array.len() as i64),
        View::Array(array) => {
            let array = array.clone();
            count_recursive(cx, &array, &mut Vec::new())
        }
        View::Object(object) => {
            let object = object.clone();
            if let Some(hook) = ClassPtr::of(&object).hooks.count
                && let Some(n) = hook(cx, &object)?
            {
                return Ok(n);
            }
            let countable = cx.builtin_class(b"countable");
            if !ClassPtr::of(&object).is_a(countable) {
                return Err(not_countable(cx, value));
            }
            let counted = cx.call_method(&object, b"count", &[])?;
            cx.to_int(&counted)
        }
        _ => Err(not_countable(cx, value)),
    }
}

fn not_countable(cx: &mut Cx, value: &Value) -> Stop {
    let given = args::type_name(value);
    cx.arg_type_error(1, [b"must be of type Countable|array, ".as_slice(), &given, b" given"])
}

/// `open`: the arrays that are being counted, for those that contain themselves.
fn count_recursive(cx: &mut Cx, array: &PArray, open: &mut Vec<PArray>) -> Res<i64> {
    cx.check_stack()?;
    if open.iter().any(|a| a.same(array)) {
        cx.warning("Recursion detected")?;
        return Ok(0);
    }
    let mut n = array.len() as i64;
    open.push(array.clone());
    for value in array.values() {
        if let Some(inner) = util::array_of(value) {
            n += count_recursive(cx, &inner, open)?;
        }
    }
    open.pop();
    Ok(n)
}

/// The key of the first element that equals `needle`.
fn find<'a>(cx: &mut Cx, needle: &Value, haystack: &'a PArray, strict: bool) -> Res<Option<KeyRef<'a>>> {
    if strict && let View::Str(wanted) = needle.view_deref() {
        return Ok(haystack.iter().find(|(_, value)| matches!(value.view_deref(), View::Str(s) if s == wanted)).map(|(key, _)| key));
    }
    for (key, value) in haystack {
        let found = if strict { cx.identical(value, needle)? } else { equals_despite(cx, needle, value)? };
        if found {
            return cx.unless_thrown(Some(key));
        }
    }
    cx.unless_thrown(None)
}

pub fn in_array(cx: &mut Cx, needle: &Value, haystack: &PArray, strict: bool) -> Res<bool> {
    Ok(find(cx, needle, haystack, strict)?.is_some())
}

pub fn array_search(cx: &mut Cx, needle: &Value, haystack: &PArray, strict: bool) -> Res<OrFalse<Value>> {
    Ok(OrFalse(find(cx, needle, haystack, strict)?.map(KeyRef::to_value)))
}

pub fn array_keys(cx: &mut Cx, array: &PArray, filter_value: Option<&Value>, strict: bool) -> Res<PArray> {
    let Some(wanted) = filter_value else {
        return Ok(array.keys().map(KeyRef::to_value).collect());
    };
    let mut keys = PArray::new();
    for (key, value) in array {
        if if strict { cx.identical(value, wanted)? } else { equals_despite(cx, wanted, value)? } {
            keys.append(key.to_value());
        }
    }
    cx.unless_thrown(keys)
}

pub fn array_values(_cx: &mut Cx, array: &PArray) -> PArray {
    // The next free key of a list may be beyond its end: a copy starts afresh.
    if array.is_packed() && array.is_list() && array.next_free_index() == Some(array.len() as i64) {
        return array.clone();
    }
    PArray::from_values(array.values().map(util::element))
}

pub fn array_key_exists(cx: &mut Cx, key: &Value, array: &PArray) -> Res<bool> {
    // Plain calls of `array_key_exists` are an opcode in PHP, with the words of one.
    if matches!(key.view_deref(), View::Array(_) | View::Object(_))
        && (cx.active_function_name().as_slice() == b"key_exists" || !cx.engine().is_direct_call(cx))
    {
        return Err(cx.arg_type_error(1, "must be a valid array offset type"));
    }
    let key = util::offset_key(cx, key)?;
    Ok(array.contains(&key))
}

pub fn array_key_first(_cx: &mut Cx, array: &PArray) -> Option<Value> {
    array.first().and_then(|at| array.at(at)).map(|(key, _)| key.to_value())
}

pub fn array_key_last(_cx: &mut Cx, array: &PArray) -> Option<Value> {
    array.last().and_then(|at| array.at(at)).map(|(key, _)| key.to_value())
}

pub fn array_is_list(_cx: &mut Cx, array: &PArray) -> bool {
    array.is_list()
}

// ---- the internal pointer

enum Move {
    Stay,
    Next,
    Previous,
    First,
    Last,
}

/// Moves the pointer of an object's properties and returns the element there.
fn move_in_object(cx: &mut Cx, object: &PObject, to: Move) -> Res<Option<(Key, Value)>> {
    let name = cx.active_function_name();
    cx.raise(
        jumbo_abi::Level::Deprecated,
        [&name, b"(): Calling ".as_slice(), &name, b"() on an object is deprecated"],
    )?;
    // What the object holds itself, not what its class shows of it.
    let properties = cx.properties(object, Purpose::Vars)?;
    let at = cx.engine().property_position(object);
    // Past the end stays past the end; before the start too.
    let moved = match to {
        Move::Stay => at,
        Move::Next => at.saturating_add(1).min(properties.len()),
        Move::Previous => at.checked_sub(1).unwrap_or(properties.len()),
        Move::First => 0,
        Move::Last => properties.len().saturating_sub(1),
    };
    if moved != at {
        cx.engine().set_property_position(object, moved);
    }
    Ok(properties.iter().nth(moved).map(|(k, v)| (k.to_key(), v.copy_deref())))
}

fn move_pointer(cx: &mut Cx, array: &PRef, to: Move) -> Res<Value> {
    if let View::Object(object) = array.get().view() {
        let entry = move_in_object(cx, object, to)?;
        return Ok(entry.map_or(Value::FALSE, |(_, value)| value));
    }
    let moved = util::update_array(array, |array| {
        let at = match to {
            Move::Stay => array.internal_position(),
            Move::Next => array.internal_position().and_then(|at| array.next(at)),
            Move::Previous => array.internal_position().and_then(|at| array.prev(at)),
            Move::First => array.first(),
            Move::Last => array.last(),
        };
        array.set_internal_position(at);
        at.and_then(|at| array.at(at)).map(|(_, value)| value.copy_deref())
    });
    match moved {
        Some(value) => Ok(value.unwrap_or(Value::FALSE)),
        None => Err(util::not_an_array(cx, &array.get(), 1)),
    }
}

pub fn next(cx: &mut Cx, array: &PRef) -> Res<Value> {
    move_pointer(cx, array, Move::Next)
}

pub fn prev(cx: &mut Cx, array: &PRef) -> Res<Value> {
    move_pointer(cx, array, Move::Previous)
}

pub fn reset(cx: &mut Cx, array: &PRef) -> Res<Value> {
    move_pointer(cx, array, Move::First)
}

pub fn end(cx: &mut Cx, array: &PRef) -> Res<Value> {
    move_pointer(cx, array, Move::Last)
}

pub fn current(cx: &mut Cx, array: &Value) -> Res<Value> {
    match array.view_deref() {
        View::Object(object) => {
            let object = object.clone();
            let entry = move_in_object(cx, &object, Move::Stay)?;
            Ok(entry.map_or(Value::FALSE, |(_, value)| value))
        }
        View::Array(array) => {
            let entry = array.internal_position().and_then(|at| array.at(at));
            Ok(entry.map_or(Value::FALSE, |(_, value)| value.copy_deref()))
        }
        _ => Err(util::not_an_array(cx, array, 1)),
    }
}

pub fn key(cx: &mut Cx, array: &Value) -> Res<Option<Value>> {
    match array.view_deref() {
        View::Object(object) => {
            let object = object.clone();
            // Names of properties are strings, numeric ones too.
            Ok(move_in_object(cx, &object, Move::Stay)?.map(|(key, _)| match key {
                Key::Int(i) => Value::from(PStr::new(i.to_string().as_bytes())),
                key => key.to_value(),
            }))
        }
        View::Array(array) => Ok(array.internal_position().and_then(|at| array.at(at)).map(|(key, _)| key.to_value())),
        _ => Err(util::not_an_array(cx, array, 1)),
    }
}
