//! Conversion between encodings, their detection and names, single characters, numeric entities.
//!
//! Base64, quoted-printable, uuencode and HTML entities count as encodings as well, which is deprecated.

use crate::encoding::{BAD, ENCODINGS, Encoding, convert_to, recode};
use crate::entity::{self, Row};
use crate::kana::{self, BadMode};
use crate::settings::{encoding, encoding_list, settings, substitute};
use crate::{Substitute, detect};
use jumbo_abi::{Cx, Key, Level, OrFalse, PArray, PObject, PRef, PStr, Res, Value, View};
use jumbo_value::{HeapCharge, OutOfMemory, PStrBuilder};
use jumbo_value::number::{self, Number};
use std::collections::HashSet;

/// One string in another encoding; what could not be converted is counted.
fn convert_one(cx: &mut Cx, text: &PStr, to: &Encoding, from: &Encoding) -> Res<PStr> {
    if from.is_utf8() && to.is_utf8() && from.is_valid(text)? {
        return Ok(text.clone());
    }
    let substitute = substitute(cx);
    let mut out = PStrBuilder::with_capacity(text.len())?;
    let errors = convert_to(text, to, from, substitute, &mut out)?;
    settings(cx).illegal += errors as i64;
    Ok(out.finish())
}

pub fn mb_convert_encoding(cx: &mut Cx, string: &Value, to_encoding: &PStr, from_encoding: Option<&Value>) -> Res<Value> {
    let to = encoding(cx, 2, Some(to_encoding))?;
    let from = match from_encoding.map(Value::deref).filter(|v| !v.is_null()) {
        None => vec![settings(cx).internal],
        Some(value) => encoding_list(cx, 3, value)?,
    };
    if let View::Array(array) = string.view_deref() {
        return Ok(Value::from(convert_array(cx, array, to, &from, &mut Vec::new())?));
    }
    let string = cx.to_string(string)?;
    match source(cx, &string, &from)? {
        Some(from) => Ok(Value::from(convert_one(cx, &string, to, from)?)),
        None => Ok(Value::from(false)),
    }
}

/// Which of `candidates` the text is in.
fn source(cx: &mut Cx, text: &[u8], candidates: &[&'static Encoding]) -> Res<Option<&'static Encoding>> {
    if let [only] = candidates {
        return Ok(Some(*only));
    }
    let strict = cx.ini.bool("mbstring.strict_detection");
    let found = detect::detect(&[text], candidates, strict, false)?;
    if found.is_none() {
        cx.warning("Unable to detect character encoding")?;
    }
    Ok(found)
}

/// Names and values of a query, all from the one encoding of `from` that they are most likely in.
pub(crate) fn convert_input(cx: &mut Cx, variables: &PArray, to: &Encoding, from: &[&'static Encoding]) -> Res<PArray> {
    let Some(found) = identify(variables, from, cx.ini.bool("mbstring.strict_detection"))? else { return Ok(variables.clone()) };
    settings(cx).identified = Some(found);
    convert_array(cx, variables, to, &[found], &mut Vec::new())
}

/// The encoding that all texts of an array are in; one candidate is not asked.
pub(crate) fn identify(variables: &PArray, candidates: &[&'static Encoding], strict: bool) -> Result<Option<&'static Encoding>, OutOfMemory> {
    if let [only] = candidates {
        return Ok(Some(only));
    }
    let mut texts = Vec::new();
    all_texts(variables, &mut texts);
    let texts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
    detect::detect(&texts, candidates, strict, true)
}

/// Keys and values of an array from one encoding to another.
pub(crate) fn convert_variables(cx: &mut Cx, variables: &PArray, to: &Encoding, from: &'static Encoding) -> Res<PArray> {
    convert_array(cx, variables, to, &[from], &mut Vec::new())
}

fn all_texts(variables: &PArray, texts: &mut Vec<PStr>) {
    for (key, value) in variables.iter() {
        if let jumbo_abi::KeyRef::Str(name) = key {
            texts.push(name.clone());
        }
        match value.view_deref() {
            View::Str(text) => texts.push(text.clone()),
            View::Array(inner) => all_texts(inner, texts),
            _ => {}
        }
    }
}

/// Keys and values of an array, deep. `path`: the arrays on the way here.
fn convert_array(cx: &mut Cx, array: &PArray, to: &Encoding, from: &[&'static Encoding], path: &mut Vec<usize>) -> Res<PArray> {
    cx.check_stack()?;
    let own = array.as_ptr() as usize;
    if path.contains(&own) {
        cx.warning("Cannot convert recursively referenced values")?;
        return Ok(PArray::new());
    }
    path.push(own);
    let mut result = PArray::with_capacity(array.len());
    for (key, value) in array.entries() {
        let key = match key {
            // A key that is in none of the encodings goes, and its value with it.
            Key::Str(name) => match source(cx, &name, from)? {
                Some(found) => Key::from_bytes(&convert_one(cx, &name, to, found)?),
                None => continue,
            },
            key => key,
        };
        let value = value.into_deref();
        let new = match value.view() {
            View::Str(text) => match source(cx, text, from)? {
                Some(found) => Value::from(convert_one(cx, text, to, found)?),
                None => continue,
            },
            View::Array(inner) => Value::from(convert_array(cx, inner, to, from, path)?),
            View::Object(_) => {
                cx.warning("Object is not supported")?;
                continue;
            }
            _ => value.clone(),
        };
        // Of keys that become the same one the first stays.
        if !result.contains(&key) {
            result.set(key, new);
        }
    }
    path.pop();
    Ok(result)
}

pub fn mb_detect_encoding(cx: &mut Cx, string: &PStr, encodings: Option<&Value>, strict: Option<bool>) -> Res<OrFalse<PStr>> {
    let list = match encodings.filter(|v| !v.deref().is_null()) {
        None => settings(cx).detect_order.clone(),
        Some(value) => encoding_list(cx, 2, value)?,
    };
    let strict = strict.unwrap_or_else(|| cx.ini.bool("mbstring.strict_detection"));
    Ok(OrFalse(detect::detect(&[string], &list, strict, true)?.map(|e| PStr::from(e.name))))
}

/// Shows every element of an array, deep, until `each` says false. None: the array contains itself. The arrays that are open stand in
/// a list: however deep they are nested, the native stack does not grow.
fn all_elements(array: &PArray, each: &mut dyn FnMut(jumbo_abi::KeyRef<'_>, &Value) -> bool) -> Option<bool> {
    let mut open = vec![(array, array.iter())];
    while let Some((_, elements)) = open.last_mut() {
        let Some((key, value)) = elements.next() else {
            open.pop();
            continue;
        };
        if !each(key, value.deref()) {
            return Some(false);
        }
        if let View::Array(inner) = value.view_deref() {
            // Only a reference leads from an array into itself.
            if value.is_ref() && open.iter().any(|(outer, _)| outer.same(inner)) {
                return None;
            }
            open.push((inner, inner.iter()));
        }
    }
    Some(true)
}

/// None: the array contains itself.
fn all_valid(array: &PArray, encoding: &Encoding) -> Result<Option<bool>, OutOfMemory> {
    let mut refused = None;
    let mut is_valid = |text: &[u8]| encoding.is_valid(text).unwrap_or_else(|out_of_memory| {
        refused = Some(out_of_memory);
        false
    });
    let valid = all_elements(array, &mut |key, value| {
        let key_valid = match key {
            jumbo_abi::KeyRef::Str(name) => is_valid(name),
            jumbo_abi::KeyRef::Int(_) => true,
        };
        key_valid
            && match value.view() {
                View::Str(s) => is_valid(s),
                View::Object(_) | View::Resource(_) => false,
                _ => true,
            }
    });
    refused.map_or(Ok(valid), Err)
}

pub fn mb_check_encoding(cx: &mut Cx, value: Option<&Value>, name: Option<&PStr>) -> Res<bool> {
    let encoding = encoding(cx, 2, name)?;
    match value.map(Value::view_deref) {
        None | Some(View::Null | View::Undef) => {
            cx.deprecated("Calling mb_check_encoding() without argument is deprecated")?;
            // Input is never converted, so none of it was malformed.
            Ok(true)
        }
        Some(View::Array(array)) => match all_valid(array, encoding)? {
            Some(valid) => Ok(valid),
            None => {
                cx.warning("Cannot not handle circular references")?;
                Ok(false)
            }
        },
        Some(View::Str(s)) => Ok(encoding.is_valid(s)?),
        Some(_) => Ok(true),
    }
}

pub fn mb_scrub(cx: &mut Cx, string: &PStr, name: Option<&PStr>) -> Res<PStr> {
    let encoding = encoding(cx, 2, name)?;
    if encoding.is_valid(string)? {
        return Ok(string.clone());
    }
    let substitute = substitute(cx);
    let mut out = PStrBuilder::with_capacity(string.len())?;
    recode(string, encoding, encoding, substitute, &mut out)?;
    Ok(out.finish())
}

/// Encodings in which a character does not stand for itself.
fn no_character_numbers(cx: &mut Cx, function: &str, encoding: &Encoding) -> Res<()> {
    if encoding.has_single_characters() {
        return Ok(());
    }
    Err(cx.value_error(format_args!("{function}() does not support the \"{}\" encoding", encoding.name)))
}

pub fn mb_chr(cx: &mut Cx, codepoint: i64, name: Option<&PStr>) -> Res<OrFalse<PStr>> {
    let encoding = encoding(cx, 2, name)?;
    no_character_numbers(cx, "mb_chr", encoding)?;
    let Some(code) = u32::try_from(codepoint).ok().and_then(char::from_u32).map(u32::from) else { return Ok(OrFalse::FALSE) };
    let bytes = encoding.encode(&[code], Substitute::None);
    Ok(OrFalse((!bytes.is_empty()).then(|| PStr::new(&bytes))))
}

pub fn mb_ord(cx: &mut Cx, string: &PStr, name: Option<&PStr>) -> Res<OrFalse<i64>> {
    if string.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let encoding = encoding(cx, 2, name)?;
    // One character has at most 4 bytes in the encodings without state; the others are read from the start as a whole.
    let part = if encoding.is_utf8() { string.get(..4).unwrap_or(string) } else { string };
    no_character_numbers(cx, "mb_ord", encoding)?;
    Ok(OrFalse(encoding.decode_charged(part)?.first().filter(|&&code| code != BAD).map(|&code| i64::from(code))))
}

/// The int that a value is as the operand of an operator for ints, with what is said about it; `None` when it is none.
fn operand(cx: &mut Cx, value: &Value) -> Res<Option<i64>> {
    let value = value.deref();
    let of_float = |cx: &mut Cx, f: f64| {
        if !number::float_is_int(f) {
            cx.deprecated_fraction(value, f)?;
        }
        Ok(Some(number::float_to_int(f)))
    };
    match value.view() {
        View::Int(i) => Ok(Some(i)),
        View::Null | View::Undef => Ok(Some(0)),
        View::Bool(b) => Ok(Some(i64::from(b))),
        View::Float(f) => of_float(cx, f),
        View::Str(s) => match number::parse_prefix(s) {
            None => Ok(None),
            Some(prefix) => {
                if prefix.trailing {
                    cx.raise(Level::Warning, b"A non-numeric value encountered")?;
                }
                match prefix.number {
                    Number::Int(i) => Ok(Some(i)),
                    Number::Float(f) => of_float(cx, f),
                }
            }
        },
        View::Resource(r) => Ok(Some(r.id())),
        View::Array(_) | View::Object(_) | View::Ref(_) => Ok(None),
    }
}

/// The rows of a numeric entity map.
fn rows(cx: &mut Cx, map: &PArray) -> Res<Vec<Row>> {
    if map.len() % 4 != 0 {
        return Err(cx.arg_value_error(2, "must have a multiple of 4 elements"));
    }
    let mut numbers = Vec::with_capacity(map.len());
    for value in map.values() {
        match operand(cx, value)? {
            Some(i) => numbers.push(i),
            None => return Err(cx.arg_value_error(2, "must only be composed of values of type int")),
        }
    }
    let (rows, _) = numbers.as_chunks::<4>();
    Ok(rows
        .iter()
        .map(|[first, last, offset, mask]| Row { first: *first as u32, last: *last as u32, offset: *offset, mask: *mask as u32 })
        .collect())
}

pub fn mb_encode_numericentity(cx: &mut Cx, string: &PStr, map: &PArray, name: Option<&PStr>, hex: bool) -> Res<PStr> {
    let encoding = encoding(cx, 3, name)?;
    let rows = rows(cx, map)?;
    let substitute = substitute(cx);
    let codes = entity::encode(&encoding.decode_charged(string)?, &rows, hex)?;
    Ok(encoding.encode_charged(&codes, substitute)?.finish())
}

pub fn mb_decode_numericentity(cx: &mut Cx, string: &PStr, map: &PArray, name: Option<&PStr>) -> Res<PStr> {
    let encoding = encoding(cx, 3, name)?;
    let rows = rows(cx, map)?;
    let substitute = substitute(cx);
    let codes = entity::decode(&encoding.decode_charged(string)?, &rows)?;
    Ok(encoding.encode_charged(&codes, substitute)?.finish())
}

/// All strings in a value, deep; `Err` where an array or an object contains itself. What is open stands in a list: however deep it is
/// nested, the native stack does not grow.
fn collect(value: &Value, out: &mut Vec<PStr>) -> Result<(), Recursive> {
    let mut open: Vec<(usize, std::vec::IntoIter<Value>)> = Vec::new();
    let mut open_addresses = HashSet::new();
    let mut next = Some(value.copy_deref());
    loop {
        if let Some(value) = next.take() {
            let inner = match value.view() {
                View::Str(s) => {
                    out.push(s.clone());
                    None
                }
                View::Array(array) => Some((array.as_ptr() as usize, array.values().cloned().collect::<Vec<_>>())),
                View::Object(object) => Some((object.as_ptr() as usize, properties(object))),
                _ => None,
            };
            if let Some((own, inner)) = inner {
                if !open_addresses.insert(own) {
                    return Err(Recursive);
                }
                open.push((own, inner.into_iter()));
            }
        }
        match open.last_mut().map(|(_, values)| values.next()) {
            None => return Ok(()),
            Some(Some(value)) => next = Some(value.into_deref()),
            Some(None) => {
                if let Some((own, _)) = open.pop() {
                    open_addresses.remove(&own);
                }
            }
        }
    }
}

/// The properties of an object, declared ones first.
fn properties(object: &PObject) -> Vec<Value> {
    let slots = (0..object.slot_count()).map(|index| object.slot(index));
    let dynamic = object.dynamic().map(|table| table.values().cloned().collect::<Vec<_>>()).unwrap_or_default();
    slots.chain(dynamic).collect()
}

struct Recursive;

/// Strings in a variable, deep, in place. Nothing in it contains itself.
fn convert_variable(cx: &mut Cx, value: &mut Value, to: &Encoding, from: &Encoding) -> Res<()> {
    cx.check_stack()?;
    if let Some(reference) = value.as_ref().cloned() {
        // A new text takes the reference's place; an array changes where it is.
        let mut inner = reference.get();
        match inner.view() {
            View::Str(_) => {
                convert_variable(cx, &mut inner, to, from)?;
                *value = inner;
            }
            View::Array(_) => {
                convert_variable(cx, &mut inner, to, from)?;
                reference.set(inner);
            }
            View::Object(_) => convert_variable(cx, &mut inner, to, from)?,
            _ => {}
        }
        return Ok(());
    }
    if let View::Object(object) = value.view() {
        return convert_properties(cx, &object.clone(), to, from);
    }
    if let View::Str(text) = value.view() {
        let text = text.clone();
        *value = Value::from(convert_one(cx, &text, to, from)?);
    } else if let View::Array(array) = value.view() {
        let mut new = array.clone();
        let mut at = new.first();
        while let Some(position) = at {
            let Some(mut element) = new.at(position).map(|(_, value)| value.clone()) else { break };
            convert_variable(cx, &mut element, to, from)?;
            new.with_value_at(position, |slot| *slot = element);
            at = new.next(position);
        }
        *value = Value::from(new);
    }
    Ok(())
}

/// Strings in the properties of an object, where they are.
fn convert_properties(cx: &mut Cx, object: &PObject, to: &Encoding, from: &Encoding) -> Res<()> {
    // A case of an enum is what it is.
    if jumbo_abi::ClassPtr::of(object).is_enum() {
        return Ok(());
    }
    let wanted = |value: &Value| matches!(value.view_deref(), View::Str(_) | View::Array(_) | View::Object(_));
    for index in 0..object.slot_count() {
        let mut value = object.slot(index);
        if wanted(&value) {
            convert_variable(cx, &mut value, to, from)?;
            object.set_slot(index, value);
        }
    }
    for (key, mut value) in object.dynamic().map(|table| table.entries()).unwrap_or_default() {
        if wanted(&value) {
            convert_variable(cx, &mut value, to, from)?;
            object.update_dynamic(|table| table.set(key, value));
        }
    }
    Ok(())
}

pub fn mb_convert_variables(
    cx: &mut Cx,
    to_encoding: &PStr,
    from_encoding: &Value,
    var: &PRef,
    vars: &[Value],
) -> Res<OrFalse<PStr>> {
    let to = encoding(cx, 1, Some(to_encoding))?;
    let list = encoding_list(cx, 2, from_encoding)?;
    let targets: Vec<PRef> = std::iter::once(var).chain(vars.iter().filter_map(Value::as_ref)).cloned().collect();
    let mut all = Vec::new();
    for target in &targets {
        if collect(&target.get(), &mut all).is_err() {
            cx.warning("Cannot handle recursive references")?;
            return Ok(OrFalse::FALSE);
        }
    }
    let from = match list.as_slice() {
        [only] => *only,
        _ => {
            let texts: Vec<&[u8]> = all.iter().map(PStr::as_bytes).collect();
            match detect::detect(&texts, &list, cx.ini.bool("mbstring.strict_detection"), false)? {
                Some(found) => found,
                None => {
                    cx.warning("Unable to detect encoding")?;
                    return Ok(OrFalse::FALSE);
                }
            }
        }
    };
    drop(all);
    for target in targets {
        let mut value = target.get();
        let is_object = matches!(value.view(), View::Object(_));
        convert_variable(cx, &mut value, to, from)?;
        // An object is changed where it is.
        if !is_object {
            target.set(value);
        }
    }
    Ok(OrFalse(Some(PStr::from(from.name))))
}

pub fn mb_convert_kana(cx: &mut Cx, string: &PStr, mode: &PStr, name: Option<&PStr>) -> Res<PStr> {
    let mode = match kana::Mode::parse(mode) {
        Ok(mode) => mode,
        Err(BadMode::Letter(letter)) => {
            return Err(cx.arg_value_error(2, [b"contains invalid flag: '".as_slice(), &[letter], b"'"]));
        }
        Err(BadMode::Together(one, other)) => {
            let text = format!("must not combine '{}' and '{}' flags", one as char, other as char);
            return Err(cx.arg_value_error(2, text));
        }
    };
    let encoding = encoding(cx, 3, name)?;
    let substitute = substitute(cx);
    let codes = encoding.decode_charged(string)?;
    // A character becomes at most two, and the vector may move once.
    let _charge = HeapCharge::new(size_of_val(&*codes).saturating_mul(3))?;
    let codes = kana::convert(&codes, mode);
    Ok(encoding.encode_charged(&codes, substitute)?.finish())
}

pub fn mb_list_encodings(_cx: &mut Cx) -> PArray {
    PArray::from_values(ENCODINGS.iter().map(|e| Value::from(e.name)))
}

pub fn mb_encoding_aliases(cx: &mut Cx, name: &PStr) -> Res<PArray> {
    let encoding = encoding(cx, 1, Some(name))?;
    Ok(PArray::from_values(encoding.aliases.iter().map(|a| Value::from(*a))))
}

pub fn mb_preferred_mime_name(cx: &mut Cx, name: &PStr) -> Res<OrFalse<PStr>> {
    let encoding = encoding(cx, 1, Some(name))?;
    if encoding.mime_name.is_empty() {
        cx.warning([b"No MIME preferred name corresponding to \"".as_slice(), name, b"\""])?;
        return Ok(OrFalse::FALSE);
    }
    Ok(OrFalse(Some(PStr::from(encoding.mime_name))))
}
