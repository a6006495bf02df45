//! Variables of the calling function: compact and extract.

use crate::util;
use jumbo_abi::{Cx, KeyRef, PArray, PRef, PStr, Res, Value, View, args, despite};

pub fn compact(cx: &mut Cx, var_name: &Value, var_names: &[Value]) -> Res<PArray> {
    let mut result = PArray::new();
    collect(cx, &mut result, var_name, 1, &mut Vec::new())?;
    for (n, name) in var_names.iter().enumerate() {
        collect(cx, &mut result, name, n as u32 + 2, &mut Vec::new())?;
    }
    cx.unless_thrown(result)
}

/// `open`: the arrays of names on the way down, for those that contain themselves. The other names are looked at in spite of an exception.
fn collect(cx: &mut Cx, result: &mut PArray, entry: &Value, n: u32, open: &mut Vec<PArray>) -> Res<()> {
    cx.check_stack()?;
    match entry.view_deref() {
        View::Str(name) => {
            let name = name.clone();
            match cx.engine().caller_variable(cx, name.as_bytes()) {
                Some(value) if !value.is_undef() => result.set_sym(name.as_bytes(), value.into_deref()),
                _ if name.as_bytes() == b"this" => {
                    if let Some(this) = cx.engine().caller_this(cx) {
                        result.set_str(&name, Value::from(this));
                    }
                }
                _ => {
                    despite(cx.warning([b"Undefined variable $".as_slice(), name.as_bytes()]))?;
                }
            }
        }
        View::Array(names) => {
            let names = names.clone();
            if open.iter().any(|a| a.same(&names)) {
                cx.throw_error("Recursion detected");
                return Ok(());
            }
            open.push(names.clone());
            for name in names.values() {
                collect(cx, result, name, n, open)?;
            }
            open.pop();
        }
        _ => {
            let given = args::type_name(entry);
            let start = format!("Argument #{n} must be string or array of strings, ");
            despite(cx.warning([start.as_bytes(), &given, b" given"]))?;
        }
    }
    Ok(())
}

const OVERWRITE: i64 = 0;
const SKIP: i64 = 1;
const PREFIX_SAME: i64 = 2;
const PREFIX_ALL: i64 = 3;
const PREFIX_INVALID: i64 = 4;
const PREFIX_IF_EXISTS: i64 = 5;
const IF_EXISTS: i64 = 6;
const REFS: i64 = 256;

/// `[a-zA-Z_\x80-\xff][a-zA-Z0-9_\x80-\xff]*`.
fn is_valid_name(name: &[u8]) -> bool {
    let letter = |b: u8| b.is_ascii_alphabetic() || b == b'_' || b >= 0x80;
    name.first().is_some_and(|&b| letter(b)) && name.iter().all(|&b| letter(b) || b.is_ascii_digit())
}

/// The variable that an element goes to; None: it is left out.
fn target(cx: &mut Cx, key: KeyRef<'_>, mode: i64, prefix: &PStr) -> Option<PStr> {
    let prefixed = |name: &[u8]| PStr::concat(&[prefix.as_bytes(), b"_", name]);
    let name = match key {
        KeyRef::Int(_) if mode == PREFIX_ALL || mode == PREFIX_INVALID => return Some(prefixed(key.to_str().as_bytes())),
        KeyRef::Int(_) => return None,
        KeyRef::Str(s) => s,
    };
    let bytes = name.as_bytes();
    // $this is no variable here, even in methods.
    let exists = |cx: &mut Cx| bytes != b"this" && cx.engine().caller_variable(cx, bytes).is_some_and(|v| !v.is_undef());
    match mode {
        PREFIX_ALL | PREFIX_SAME if bytes.is_empty() => None,
        PREFIX_ALL => Some(prefixed(bytes)),
        PREFIX_INVALID if !is_valid_name(bytes) || bytes == b"this" => Some(prefixed(bytes)),
        PREFIX_SAME if bytes == b"this" || exists(cx) => Some(prefixed(bytes)),
        PREFIX_IF_EXISTS => exists(cx).then(|| prefixed(bytes)),
        IF_EXISTS => exists(cx).then(|| name.clone()),
        SKIP => (bytes != b"this" && !exists(cx)).then(|| name.clone()),
        _ => Some(name.clone()),
    }
}

pub fn extract(cx: &mut Cx, array: &Value, flags: i64, prefix: Option<&PStr>) -> Res<i64> {
    let by_ref = flags & REFS != 0;
    let mode = flags & 0xff;
    if !(OVERWRITE..=IF_EXISTS).contains(&mode) {
        return Err(cx.arg_value_error(2, "must be a valid extract type"));
    }
    if (PREFIX_SAME..=PREFIX_IF_EXISTS).contains(&mode) && prefix.is_none() {
        return Err(cx.arg_value_error(3, "is required when using this extract type"));
    }
    let prefix = prefix.cloned().unwrap_or_default();
    if !prefix.is_empty() && !is_valid_name(prefix.as_bytes()) {
        return Err(cx.arg_value_error(3, "must be a valid identifier"));
    }
    let Some(entries) = array.deref().as_array().cloned() else {
        return Err(util::not_an_array(cx, array, 1));
    };
    let mut extracted = 0;
    for (key, value) in &entries {
        let Some(name) = target(cx, key, mode, &prefix) else { continue };
        if !is_valid_name(name.as_bytes()) {
            continue;
        }
        if name.as_bytes() == b"this" {
            return Err(cx.throw_error("Cannot re-assign $this"));
        }
        if by_ref {
            let reference = match array.as_ref() {
                Some(place) => util::update_array(place, |array| array.with_slot(&key.to_key(), Value::make_ref)),
                None => None,
            };
            // An array that is no variable has nothing to be referred to but what are references in it.
            let reference = reference.or_else(|| value.as_ref().cloned()).unwrap_or_else(|| PRef::new(value.clone()));
            cx.engine().bind_caller_variable(cx, &name, &reference);
        } else {
            cx.engine().set_caller_variable(cx, &name, value.copy_deref())?;
        }
        extracted += 1;
    }
    Ok(extracted)
}
