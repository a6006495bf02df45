//! HTML: entities and tags.

use crate::pure::html::{self, Charset, Escaping, Flags};
use crate::pure::tags;
use jumbo_abi::{Cx, PArray, PStr, Res, Value, View};
use jumbo_value::PStrBuilder;

/// The character set an encoding argument means; absent or empty: `default_charset`. `quiet`: no warning about others.
fn charset(cx: &mut Cx, encoding: Option<&PStr>, quiet: bool) -> Res<Charset> {
    // PHP takes the name for a C string.
    let name = encoding.and_then(|name| name.split(|&byte| byte == 0).next()).unwrap_or_default();
    let name = match name {
        [_, ..] => name,
        [] => match cx.ini.str("internal_encoding") {
            [] => cx.ini.str("default_charset"),
            name => name,
        },
    };
    if name.is_empty() {
        return Ok(Charset::Utf8);
    }
    match Charset::from_name(name) {
        Some(charset) => Ok(charset),
        None => {
            if !quiet {
                let message = PStr::concat(&[b"Charset \"", name, b"\" is not supported, assuming UTF-8"]);
                cx.warning(message)?;
            }
            Ok(Charset::Utf8)
        }
    }
}

fn only_basic(cx: &mut Cx) -> Res<()> {
    cx.notice(
        "Only basic entities substitution is supported for multi-byte encodings other than UTF-8; \
         functionality is equivalent to htmlspecialchars",
    )
}

fn escaped(cx: &mut Cx, string: &PStr, flags: i64, encoding: Option<&PStr>, double_encode: bool, all: bool) -> Res<PStr> {
    let charset = charset(cx, encoding, false)?;
    if all && charset.is_multi_byte() {
        only_basic(cx)?;
    }
    let how = Escaping { flags: Flags(flags), charset, all, double_encode };
    Ok(html::escape(string, &how)?.unwrap_or_else(|| string.clone()))
}

pub fn htmlspecialchars(cx: &mut Cx, string: &PStr, flags: i64, encoding: Option<&PStr>, double_encode: bool) -> Res<PStr> {
    escaped(cx, string, flags, encoding, double_encode, false)
}

pub fn htmlentities(cx: &mut Cx, string: &PStr, flags: i64, encoding: Option<&PStr>, double_encode: bool) -> Res<PStr> {
    escaped(cx, string, flags, encoding, double_encode, true)
}

pub fn htmlspecialchars_decode(cx: &mut Cx, string: &PStr, flags: i64) -> Res<PStr> {
    let charset = charset(cx, None, true)?;
    Ok(html::unescape(string, Flags(flags), charset, false)?.unwrap_or_else(|| string.clone()))
}

pub fn html_entity_decode(cx: &mut Cx, string: &PStr, flags: i64, encoding: Option<&PStr>) -> Res<PStr> {
    // Without an entity nobody asks what is supported.
    let charset = charset(cx, encoding, !string.contains(&b'&'))?;
    Ok(html::unescape(string, Flags(flags), charset, true)?.unwrap_or_else(|| string.clone()))
}

pub fn get_html_translation_table(cx: &mut Cx, table: i64, flags: i64, encoding: &PStr) -> Res<PArray> {
    let charset = charset(cx, Some(encoding), false)?;
    if table != 0 && charset.is_multi_byte() {
        only_basic(cx)?;
    }
    let pairs = html::translation_table(Flags(flags), charset, table != 0);
    let mut result = PArray::with_hash_capacity(pairs.len());
    for (character, entity) in pairs {
        result.set(jumbo_abi::Key::from_bytes(&character), Value::from(entity));
    }
    Ok(result)
}

pub fn strip_tags(cx: &mut Cx, string: &PStr, allowed_tags: Option<&Value>) -> Res<PStr> {
    let mut allowed = PStrBuilder::new();
    match allowed_tags.map(Value::view_deref) {
        None | Some(View::Null | View::Undef) => {}
        Some(View::Array(list)) => {
            for value in list.values() {
                let value = value.copy_deref();
                let name = cx.text_despite(&value)?;
                allowed.push(b'<')?;
                allowed.extend(&name)?;
                allowed.push(b'>')?;
            }
        }
        Some(_) => {
            if let Some(value) = allowed_tags {
                allowed.extend(&cx.to_string(value)?)?;
            }
        }
    }
    cx.unless_thrown(tags::strip_tags(string, &allowed)?)
}
