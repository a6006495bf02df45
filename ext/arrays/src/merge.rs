//! array_merge and array_replace, flat and recursive.

use crate::util;
use jumbo_abi::{Cx, Key, KeyRef, PArray, Res, Value, View, mask};

pub fn array_merge(cx: &mut Cx, arrays: &[Value]) -> Res<PArray> {
    let mut lists = true;
    let mut total = 0;
    for (n, value) in arrays.iter().enumerate() {
        let array = util::array_argument(cx, value, n as u32 + 1)?;
        lists &= array.is_packed();
        total += array.len();
    }
    let parts = arrays.iter().filter_map(|v| v.deref().as_array());
    if lists {
        let mut merged = PArray::with_capacity(total);
        for array in parts {
            for value in array.values() {
                merged.append(util::element(value));
            }
        }
        return Ok(merged);
    }
    let mut merged = PArray::with_hash_capacity(total);
    for array in parts {
        for (key, value) in array {
            util::put(&mut merged, key, util::element(value), false);
        }
    }
    Ok(merged)
}

pub fn array_merge_recursive(cx: &mut Cx, arrays: &[Value]) -> Res<PArray> {
    for (n, value) in arrays.iter().enumerate() {
        util::array_argument(cx, value, n as u32 + 1)?;
    }
    let mut merged = PArray::new();
    for array in arrays.iter().filter_map(|v| v.deref().as_array()) {
        merge_into(cx, &mut merged, array, &mut Vec::new())?;
    }
    Ok(merged)
}

/// `open`: the source arrays on the way down, for those that contain themselves.
fn merge_into(cx: &mut Cx, target: &mut PArray, source: &PArray, open: &mut Vec<PArray>) -> Res<()> {
    cx.check_stack()?;
    if open.iter().any(|a| a.same(source)) {
        return Err(cx.throw_error("Recursion detected"));
    }
    open.push(source.clone());
    for (key, value) in source {
        let KeyRef::Str(name) = key else {
            util::push(cx, target, util::element(value))?;
            continue;
        };
        let Some(old) = target.get_str(name).map(Value::copy_deref) else {
            target.set_str(name, util::element(value));
            continue;
        };
        let was_null = old.is_null();
        // Out of the target, so that a nested array that nobody else holds is extended in place.
        target.set_str(name, Value::NULL);
        let mut inner = as_array(cx, old)?;
        if was_null {
            util::push(cx, &mut inner, Value::NULL)?;
        }
        match value.view_deref() {
            View::Array(_) | View::Object(_) => {
                let more = as_array(cx, value.copy_deref())?;
                merge_into(cx, &mut inner, &more, open)?;
            }
            _ => util::push(cx, &mut inner, value.copy_deref())?,
        }
        target.set_str(name, inner);
    }
    open.pop();
    Ok(())
}

/// `(array)`.
fn as_array(cx: &mut Cx, value: Value) -> Res<PArray> {
    Ok(match value.view() {
        View::Array(array) => array.clone(),
        View::Null | View::Undef => PArray::new(),
        View::Object(object) => {
            let object = object.clone();
            let properties = cx.engine().object_cast(cx, &object, mask::ARRAY)?;
            properties.as_array().cloned().unwrap_or_default()
        }
        _ => PArray::from_values([value]),
    })
}

pub fn array_replace(cx: &mut Cx, array: &PArray, replacements: &[Value]) -> Res<PArray> {
    for (n, value) in replacements.iter().enumerate() {
        util::array_argument(cx, value, n as u32 + 2)?;
    }
    let mut replaced = array.clone();
    for more in replacements.iter().filter_map(|v| v.deref().as_array()) {
        for (key, value) in more {
            replaced.set(key.to_key(), util::element(value));
        }
    }
    Ok(replaced)
}

pub fn array_replace_recursive(cx: &mut Cx, array: &PArray, replacements: &[Value]) -> Res<PArray> {
    for (n, value) in replacements.iter().enumerate() {
        util::array_argument(cx, value, n as u32 + 2)?;
    }
    let mut replaced = array.clone();
    for more in replacements.iter().filter_map(|v| v.deref().as_array()) {
        replace_into(cx, &mut replaced, more, &mut Vec::new())?;
    }
    Ok(replaced)
}

fn replace_into(cx: &mut Cx, target: &mut PArray, source: &PArray, open: &mut Vec<PArray>) -> Res<()> {
    cx.check_stack()?;
    if open.iter().any(|a| a.same(source)) {
        return Err(cx.throw_error("Recursion detected"));
    }
    open.push(source.clone());
    for (key, value) in source {
        let key: Key = key.to_key();
        let inner = match (util::array_of(value), target.get(&key).and_then(util::array_of)) {
            (Some(more), Some(old)) => Some((more, old)),
            _ => None,
        };
        match inner {
            Some((more, mut old)) => {
                target.set(key.clone(), Value::NULL);
                replace_into(cx, &mut old, &more, open)?;
                target.set(key, Value::from(old));
            }
            None => target.set(key, util::element(value)),
        }
    }
    open.pop();
    Ok(())
}
