//! Conversion between encodings, their detection and names, single characters, numeric entities.
//!
//! Base64, quoted-printable, uuencode and HTML entities count as encodings here as well, which is deprecated.

use crate::encoding::{BAD, ENCODINGS, Encoding, convert};
use crate::entity::{self, Row};
use crate::settings::{encoding, encoding_list, settings, substitute};
use crate::{Substitute, detect};
use jumbo_abi::{Cx, Key, OrFalse, PArray, PRef, PStr, Res, Value, View};
use jumbo_ext_strings::pure::encode;
use jumbo_ext_strings::pure::html::{self, Charset, Flags};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What mb_convert_encoding converts from and to.
#[derive(Clone, Copy)]
enum Form {
    Encoding(&'static Encoding),
    Base64,
    QuotedPrintable,
    Uuencode,
    Html,
}

impl Form {
    fn find(name: &[u8]) -> Option<Form> {
        match name.to_ascii_lowercase().as_slice() {
            b"base64" => Some(Form::Base64),
            b"quoted-printable" | b"qprint" => Some(Form::QuotedPrintable),
            b"uuencode" => Some(Form::Uuencode),
            b"html-entities" | b"html_entities" | b"html" => Some(Form::Html),
            _ => Encoding::find(name).map(Form::Encoding),
        }
    }

    /// Why the form is deprecated as a target.
    fn deprecation(self) -> Option<&'static str> {
        match self {
            Form::Encoding(_) => None,
            Form::Base64 => Some("Handling Base64 via mbstring is deprecated; use base64_encode/base64_decode instead"),
            Form::QuotedPrintable => Some(
                "Handling QPrint via mbstring is deprecated; use quoted_printable_encode/quoted_printable_decode instead",
            ),
            Form::Uuencode => {
                Some("Handling Uuencode via mbstring is deprecated; use convert_uuencode/convert_uudecode instead")
            }
            Form::Html => Some(
                "Handling HTML entities via mbstring is deprecated; use htmlspecialchars, htmlentities, or mb_encode_numericentity/mb_decode_numericentity instead",
            ),
        }
    }

    /// `text`, which is in encoding or form `from`, in this form.
    fn convert(self, text: &[u8], from: Form, substitute: Substitute) -> Vec<u8> {
        if let (Form::Encoding(to), Form::Encoding(from)) = (self, from) {
            return convert(text, to, from, substitute).into_owned();
        }
        // The transfer forms stand for bytes, HTML for characters.
        let bytes = match from {
            Form::Encoding(from) => match self {
                Form::Html => return html_entities(&from.decode(text)),
                _ => text.to_vec(),
            },
            Form::Base64 => encode::base64_decode(text, false).unwrap_or_default(),
            Form::QuotedPrintable => encode::quoted_printable_decode(text),
            Form::Uuencode => encode::uudecode(text).unwrap_or_default(),
            Form::Html => {
                let plain = html::unescape(text, Flags(Flags::COMPAT), Charset::Utf8, true);
                match self {
                    Form::Encoding(to) => return to.encode(&Encoding::utf8().decode(&plain), substitute),
                    _ => plain.into_owned(),
                }
            }
        };
        match self {
            Form::Encoding(_) => bytes,
            Form::Base64 => encode::base64_encode(&bytes),
            Form::QuotedPrintable => encode::quoted_printable_encode(&bytes),
            Form::Uuencode => [b"begin 0644 filename\n".as_slice(), &encode::uuencode(&bytes)].concat(),
            Form::Html => html_entities(&Encoding::utf8().decode(&bytes)),
        }
    }
}

/// Entities of HTML 4.01 by character, without those of ASCII.
static NAMED: LazyLock<HashMap<u32, Vec<u8>>> = LazyLock::new(|| {
    html::translation_table(Flags(Flags::QUOTES), Charset::Utf8, true)
        .into_iter()
        .filter_map(|(character, entity)| {
            let codes = Encoding::utf8().decode(&character);
            match codes.as_slice() {
                [code] if *code > 0x7f => Some((*code, entity)),
                _ => None,
            }
        })
        .collect()
});

fn html_entities(codes: &[u32]) -> Vec<u8> {
    let mut out = Vec::with_capacity(codes.len());
    for &code in codes {
        match u8::try_from(code) {
            Ok(byte) if byte < 0x80 => out.push(byte),
            _ if code == BAD => out.push(b'?'),
            _ => match NAMED.get(&code) {
                Some(entity) => out.extend_from_slice(entity),
                None => out.extend_from_slice(format!("&#{code};").as_bytes()),
            },
        }
    }
    out
}

fn not_an_encoding(cx: &mut Cx, n: u32, name: &[u8]) -> jumbo_abi::Stop {
    let message = [b"must be a valid encoding, \"".as_slice(), name, b"\" given"].concat();
    cx.arg_value_error(n, message)
}

pub fn mb_convert_encoding(cx: &mut Cx, string: &Value, to_encoding: &PStr, from_encoding: Option<&Value>) -> Res<Value> {
    let Some(to) = Form::find(to_encoding) else { return Err(not_an_encoding(cx, 2, to_encoding)) };
    if let Some(message) = to.deprecation() {
        cx.deprecated(message)?;
    }
    let from = match from_encoding.map(Value::deref).filter(|v| !v.is_null()) {
        None => vec![Form::Encoding(settings(cx).internal)],
        Some(value) => match value.as_bytes().and_then(Form::find) {
            Some(form) => vec![form],
            None => encoding_list(cx, 3, value)?.into_iter().map(Form::Encoding).collect(),
        },
    };
    let substitute = substitute(cx);
    if let View::Array(array) = string.view_deref() {
        return Ok(Value::from(convert_array(cx, array, to, &from, substitute)?));
    }
    let string = cx.to_string(string)?;
    match source(cx, &string, &from)? {
        Some(from) => Ok(Value::from(to.convert(&string, from, substitute))),
        None => Ok(Value::from(false)),
    }
}

/// Which of `candidates` the text is in.
fn source(cx: &mut Cx, text: &[u8], candidates: &[Form]) -> Res<Option<Form>> {
    if let [only] = candidates {
        return Ok(Some(*only));
    }
    let encodings: Vec<&'static Encoding> = candidates
        .iter()
        .filter_map(|form| match form {
            Form::Encoding(encoding) => Some(*encoding),
            _ => None,
        })
        .collect();
    let strict = cx.ini.bool("mbstring.strict_detection");
    match detect::detect(text, &encodings, strict) {
        Some(encoding) => Ok(Some(Form::Encoding(encoding))),
        None => {
            cx.warning("Unable to detect character encoding")?;
            Ok(None)
        }
    }
}

/// Keys and values of an array, deep.
fn convert_array(cx: &mut Cx, array: &PArray, to: Form, from: &[Form], substitute: Substitute) -> Res<PArray> {
    cx.check_stack()?;
    let mut result = PArray::with_capacity(array.len());
    for (key, value) in array.entries() {
        let key = match key {
            Key::Str(name) => match source(cx, &name, from)? {
                Some(form) => Key::from_bytes(&to.convert(&name, form, substitute)),
                None => Key::Str(name),
            },
            key => key,
        };
        let value = value.into_deref();
        let new = match value.view() {
            View::Str(text) => match source(cx, text, from)? {
                Some(form) => Value::from(to.convert(text, form, substitute)),
                None => Value::from(false),
            },
            View::Array(inner) => Value::from(convert_array(cx, inner, to, from, substitute)?),
            View::Object(_) => {
                cx.warning("Object is not supported")?;
                continue;
            }
            _ => value.clone(),
        };
        result.set(key, new);
    }
    Ok(result)
}

pub fn mb_detect_encoding(cx: &mut Cx, string: &PStr, encodings: Option<&Value>, strict: bool) -> Res<OrFalse<PStr>> {
    let list = match encodings.filter(|v| !v.deref().is_null()) {
        None => settings(cx).detect_order.clone(),
        Some(value) => encoding_list(cx, 2, value)?,
    };
    let strict = strict || cx.ini.bool("mbstring.strict_detection");
    Ok(OrFalse(detect::detect(string, &list, strict).map(|e| PStr::from(e.name))))
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
fn all_valid(array: &PArray, encoding: &Encoding) -> Option<bool> {
    all_elements(array, &mut |key, value| {
        let key_valid = match key {
            jumbo_abi::KeyRef::Str(name) => encoding.is_valid(name),
            jumbo_abi::KeyRef::Int(_) => true,
        };
        key_valid
            && match value.view() {
                View::Str(s) => encoding.is_valid(s),
                View::Object(_) | View::Resource(_) => false,
                _ => true,
            }
    })
}

pub fn mb_check_encoding(cx: &mut Cx, value: Option<&Value>, name: Option<&PStr>) -> Res<bool> {
    let encoding = encoding(cx, 2, name)?;
    match value.map(Value::view_deref) {
        None | Some(View::Null | View::Undef) => {
            cx.deprecated("Calling mb_check_encoding() without argument is deprecated")?;
            // Input is never converted, so none of it was malformed.
            Ok(true)
        }
        Some(View::Array(array)) => match all_valid(array, encoding) {
            Some(valid) => Ok(valid),
            None => {
                cx.warning("Cannot not handle circular references")?;
                Ok(false)
            }
        },
        Some(View::Str(s)) => Ok(encoding.is_valid(s)),
        Some(_) => Ok(true),
    }
}

pub fn mb_scrub(cx: &mut Cx, string: &PStr, name: Option<&PStr>) -> Res<PStr> {
    let encoding = encoding(cx, 2, name)?;
    if encoding.is_valid(string) {
        return Ok(string.clone());
    }
    let substitute = substitute(cx);
    Ok(PStr::new(&encoding.encode(&encoding.decode(string), substitute)))
}

pub fn mb_chr(cx: &mut Cx, codepoint: i64, name: Option<&PStr>) -> Res<OrFalse<PStr>> {
    let encoding = encoding(cx, 2, name)?;
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
    Ok(OrFalse(encoding.decode(part).first().filter(|&&code| code != BAD).map(|&code| i64::from(code))))
}

/// The rows of a numeric entity map.
fn rows(cx: &mut Cx, map: &PArray) -> Res<Vec<Row>> {
    let mut numbers = Vec::with_capacity(map.len());
    for value in map.values() {
        match value.deref().as_int() {
            Some(i) => numbers.push(i),
            None => return Err(cx.arg_value_error(2, "must only be composed of values of type int")),
        }
    }
    if numbers.len() % 4 != 0 {
        return Err(cx.arg_value_error(2, "must have a multiple of 4 elements"));
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
    Ok(PStr::new(&encoding.encode(&entity::encode(&encoding.decode(string), &rows, hex), substitute)))
}

pub fn mb_decode_numericentity(cx: &mut Cx, string: &PStr, map: &PArray, name: Option<&PStr>) -> Res<PStr> {
    let encoding = encoding(cx, 3, name)?;
    let rows = rows(cx, map)?;
    let substitute = substitute(cx);
    Ok(PStr::new(&encoding.encode(&entity::decode(&encoding.decode(string), &rows), substitute)))
}

/// All strings in a value, deep, for detection. False: it contains itself.
fn collect(value: &Value, out: &mut Vec<u8>) -> bool {
    let mut add = |value: &Value| {
        if let View::Str(s) = value.view() {
            out.extend_from_slice(s);
        }
        true
    };
    match value.view_deref() {
        View::Array(array) => all_elements(array, &mut |_, element| add(element)).is_some(),
        _ => add(value.deref()),
    }
}

pub fn mb_convert_variables(
    cx: &mut Cx,
    to_encoding: &PStr,
    from_encoding: &Value,
    var: &PRef,
    vars: &[Value],
) -> Res<OrFalse<PStr>> {
    let Some(to) = Encoding::find(to_encoding) else { return Err(not_an_encoding(cx, 1, to_encoding)) };
    let list = encoding_list(cx, 2, from_encoding)?;
    let targets: Vec<PRef> = std::iter::once(var).chain(vars.iter().filter_map(Value::as_ref)).cloned().collect();
    let from = match list.as_slice() {
        [only] => *only,
        _ => {
            let mut all = Vec::new();
            for target in &targets {
                if !collect(&target.get(), &mut all) {
                    cx.warning("Cannot handle recursive references")?;
                    return Ok(OrFalse::FALSE);
                }
            }
            match detect::detect(&all, &list, cx.ini.bool("mbstring.strict_detection")) {
                Some(found) => found,
                None => {
                    cx.warning("Unable to detect encoding")?;
                    return Ok(OrFalse::FALSE);
                }
            }
        }
    };
    let substitute = substitute(cx);
    let (to, form) = (Form::Encoding(to), [Form::Encoding(from)]);
    for target in targets {
        let value = target.get();
        let new = match value.view() {
            View::Str(s) => Value::from(to.convert(s, form[0], substitute)),
            View::Array(array) => Value::from(convert_array(cx, array, to, &form, substitute)?),
            _ => continue,
        };
        target.set(new);
    }
    Ok(OrFalse(Some(PStr::from(from.name))))
}

pub fn mb_list_encodings(_cx: &mut Cx) -> PArray {
    let transfer = ["BASE64", "UUENCODE", "HTML-ENTITIES", "Quoted-Printable"].into_iter();
    PArray::from_values(transfer.chain(ENCODINGS.iter().map(|e| e.name)).map(Value::from))
}

pub fn mb_encoding_aliases(cx: &mut Cx, name: &PStr) -> Res<PArray> {
    let encoding = encoding(cx, 1, Some(name))?;
    Ok(PArray::from_values(encoding.aliases.iter().map(|a| Value::from(*a))))
}

pub fn mb_preferred_mime_name(cx: &mut Cx, name: &PStr) -> Res<OrFalse<PStr>> {
    let encoding = encoding(cx, 1, Some(name))?;
    if encoding.mime_name.is_empty() {
        cx.warning([b"No MIME preferred name corresponding to \"".as_slice(), name, b"\""].concat())?;
        return Ok(OrFalse::FALSE);
    }
    Ok(OrFalse(Some(PStr::from(encoding.mime_name))))
}
