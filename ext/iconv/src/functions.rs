//! iconv, parts and positions of strings, the encodings that are set.

use crate::charset::{Charset, ConversionError, Failure, NAME_MAX, convert};
pub use crate::mime::{iconv_mime_decode, iconv_mime_decode_headers, iconv_mime_encode};
use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res, Value};
use jumbo_ext_mbstring::encoding::Codes;
use jumbo_value::string::up_to_nul;

/// The kinds of encodings that can be set.
const KINDS: [&str; 3] = ["input_encoding", "output_encoding", "internal_encoding"];

/// The encoding of a kind: its own setting, the common one, the default charset.
fn set_encoding(cx: &Cx, kind: &str) -> Vec<u8> {
    let common = if kind == "input_encoding" || kind == "output_encoding" { kind } else { "internal_encoding" };
    let settings = [format!("iconv.{kind}"), common.to_owned(), "default_charset".to_owned()];
    let found = settings.iter().map(|name| cx.ini.str(name)).find(|value| !value.is_empty());
    found.unwrap_or(b"UTF-8").to_vec()
}

/// The encoding that an argument names, or the internal one.
pub fn name_or_internal(cx: &Cx, name: Option<&PStr>) -> Vec<u8> {
    name.map_or_else(|| set_encoding(cx, "internal_encoding"), |n| up_to_nul(n.as_bytes()).to_vec())
}

/// False after a warning: the name is too long.
pub fn check_length(cx: &mut Cx, name: &[u8]) -> Res<bool> {
    if name.len() < NAME_MAX {
        return Ok(true);
    }
    cx.warning(format_args!("Encoding parameter exceeds the maximum allowed length of {NAME_MAX} characters"))?;
    Ok(false)
}

/// Warning: there is no such conversion.
pub fn wrong_encoding(cx: &mut Cx, from: &[u8], to: &[u8]) -> Res<()> {
    cx.warning([b"Wrong encoding, conversion from \"".as_slice(), from, b"\" to \"", to, b"\" is not allowed"])
}

/// Both ends of a conversion. None: told.
pub fn pair(cx: &mut Cx, from: &[u8], to: &[u8]) -> Res<Option<(Charset, Charset)>> {
    // Flags belong to the end that is written.
    match (Charset::find(from), Charset::find(to)) {
        (Some(a), Some(b)) => Ok(Some((a, b))),
        _ => {
            wrong_encoding(cx, from, to)?;
            Ok(None)
        }
    }
}

pub fn report(cx: &mut Cx, failure: Failure) -> Res<()> {
    cx.notice(failure.text())
}

/// Tells of a text that cannot be converted; what memory_limit refused ends the request.
pub fn report_conversion(cx: &mut Cx, error: ConversionError) -> Res<()> {
    match error {
        ConversionError::Text(failure) => report(cx, failure),
        ConversionError::Memory(refused) => Err(refused.into()),
    }
}

pub fn iconv(cx: &mut Cx, from_encoding: &PStr, to_encoding: &PStr, string: &PStr) -> Res<OrFalse<PStr>> {
    let (from, to) = (from_encoding.as_bytes(), to_encoding.as_bytes());
    if !check_length(cx, from)? || !check_length(cx, to)? {
        return Ok(OrFalse(None));
    }
    let (from, to) = (up_to_nul(from), up_to_nul(to));
    let Some((a, b)) = pair(cx, from, to)? else { return Ok(OrFalse(None)) };
    match convert(&a, &b, string.as_bytes()) {
        Ok(text) => Ok(OrFalse(Some(text.finish()))),
        Err(failure) => {
            report_conversion(cx, failure)?;
            Ok(OrFalse(None))
        }
    }
}

/// As much of a string as is in the encoding that argument or setting name. None: told that there is no such encoding.
fn decoded(cx: &mut Cx, string: &PStr, encoding: Option<&PStr>) -> Res<Option<(Codes, Option<Failure>, Charset)>> {
    let name = name_or_internal(cx, encoding);
    if !check_length(cx, &name)? {
        return Ok(None);
    }
    let Some(charset) = Charset::find(&name) else {
        wrong_encoding(cx, &name, b"UCS-4LE")?;
        return Ok(None);
    };
    let (codes, failure) = charset.decode(string.as_bytes())?;
    Ok(Some((codes, failure, charset)))
}

/// The characters of a string. None: told.
fn characters(cx: &mut Cx, string: &PStr, encoding: Option<&PStr>) -> Res<Option<(Codes, Charset)>> {
    match decoded(cx, string, encoding)? {
        None => Ok(None),
        Some((codes, None, charset)) => Ok(Some((codes, charset))),
        Some((_, Some(failure), _)) => {
            report(cx, failure)?;
            Ok(None)
        }
    }
}

pub fn iconv_strlen(cx: &mut Cx, string: &PStr, encoding: Option<&PStr>) -> Res<OrFalse<i64>> {
    Ok(OrFalse(characters(cx, string, encoding)?.map(|(codes, _)| codes.len() as i64)))
}

pub fn iconv_substr(cx: &mut Cx, string: &PStr, offset: i64, length: Option<i64>, encoding: Option<&PStr>) -> Res<OrFalse<PStr>> {
    let Some((codes, charset)) = characters(cx, string, encoding)? else { return Ok(OrFalse(None)) };
    let total = codes.len() as i64;
    let start = if offset < 0 { total.saturating_add(offset).max(0) } else { offset.min(total) };
    let left = total - start;
    let length = match length {
        None => left,
        Some(n) if n < 0 => left.saturating_add(n).max(0),
        Some(n) => n.min(left),
    };
    let part = usize::try_from(start).ok().zip(usize::try_from(start + length).ok()).and_then(|(a, b)| codes.get(a..b));
    match charset.encode(part.unwrap_or_default()) {
        Ok(text) => Ok(OrFalse(Some(text.finish()))),
        Err(failure) => {
            report_conversion(cx, failure)?;
            Ok(OrFalse(None))
        }
    }
}

/// The characters that a search sees, and whether they are all. A character that is none is told where the search comes to it, and nothing is said
/// of a text that begins with one. None: told that there is no such encoding.
fn searched(cx: &mut Cx, string: &PStr, encoding: Option<&PStr>) -> Res<Option<(Codes, Option<Failure>)>> {
    Ok(decoded(cx, string, encoding)?.map(|(codes, failure, _)| (codes, failure)))
}

/// A search has come to what is no character.
fn stopped(cx: &mut Cx, codes: &[u32], failure: Failure) -> Res<OrFalse<i64>> {
    if !codes.is_empty() {
        report(cx, failure)?;
    }
    Ok(OrFalse(None))
}

pub fn iconv_strpos(cx: &mut Cx, haystack: &PStr, needle: &PStr, offset: i64, encoding: Option<&PStr>) -> Res<OrFalse<i64>> {
    let Some((haystack, failure)) = searched(cx, haystack, encoding)? else { return Ok(OrFalse(None)) };
    let total = haystack.len() as i64;
    let start = if offset < 0 { total.saturating_add(offset) } else { offset };
    if !(0..=total).contains(&start) {
        return Err(cx.arg_value_error(3, "must be contained in argument #1 ($haystack)"));
    }
    if needle.is_empty() {
        return Ok(OrFalse(None));
    }
    let Some((needle, None)) = searched(cx, needle, encoding)? else { return Ok(OrFalse(None)) };
    let start = usize::try_from(start).unwrap_or(0);
    // A match is seen when the character behind it is read.
    let seen = haystack.len().saturating_sub(usize::from(failure.is_some()));
    let found = haystack.get(start..seen).unwrap_or_default().windows(needle.len().max(1)).position(|w| w == &needle[..]);
    match (found, failure) {
        (None, Some(failure)) => stopped(cx, &haystack, failure),
        _ => Ok(OrFalse(found.map(|at| (start + at) as i64))),
    }
}

pub fn iconv_strrpos(cx: &mut Cx, haystack: &PStr, needle: &PStr, encoding: Option<&PStr>) -> Res<OrFalse<i64>> {
    if needle.is_empty() {
        return Ok(OrFalse(None));
    }
    let Some((haystack, failure)) = searched(cx, haystack, encoding)? else { return Ok(OrFalse(None)) };
    if let Some(failure) = failure {
        return stopped(cx, &haystack, failure);
    }
    let Some((needle, None)) = searched(cx, needle, encoding)? else { return Ok(OrFalse(None)) };
    Ok(OrFalse(haystack.windows(needle.len().max(1)).rposition(|w| w == &needle[..]).map(|at| at as i64)))
}

pub fn iconv_get_encoding(cx: &mut Cx, kind: &PStr) -> Value {
    let name = |kind: &str| Value::from(PStr::new(&set_encoding(cx, kind)));
    let wanted = kind.as_bytes();
    if wanted.eq_ignore_ascii_case(b"all") {
        let mut array = PArray::new();
        for kind in KINDS {
            array.set_bytes(kind.as_bytes(), name(kind));
        }
        return Value::from(array);
    }
    match KINDS.iter().find(|kind| kind.as_bytes().eq_ignore_ascii_case(wanted)) {
        Some(kind) => name(kind),
        None => Value::FALSE,
    }
}

pub fn iconv_set_encoding(cx: &mut Cx, kind: &PStr, encoding: &PStr) -> Res<bool> {
    if !check_length(cx, encoding.as_bytes())? {
        return Ok(false);
    }
    let wanted = kind.as_bytes();
    let Some(kind) = KINDS.iter().find(|kind| kind.as_bytes().eq_ignore_ascii_case(wanted)) else { return Ok(false) };
    let setting = Value::from(PStr::from(format!("iconv.{kind}").as_str()));
    let old = cx.call_builtin("ini_set", &[setting, Value::from(encoding.clone())])?;
    Ok(!old.is_false())
}

/// A new value of a setting, all of which are on their way out.
fn outdated(cx: &mut Cx, name: &str, value: &[u8]) -> bool {
    if !value.is_empty() {
        // An exception that a handler throws at this waits in the context.
        let _ = cx.deprecated(format_args!("Use of {name} is deprecated"));
    }
    true
}

pub fn input_changed(cx: &mut Cx, value: &[u8]) -> bool {
    outdated(cx, "iconv.input_encoding", value)
}

pub fn output_changed(cx: &mut Cx, value: &[u8]) -> bool {
    outdated(cx, "iconv.output_encoding", value)
}

pub fn internal_changed(cx: &mut Cx, value: &[u8]) -> bool {
    outdated(cx, "iconv.internal_encoding", value)
}
