//! The ctype functions: questions about every byte of a string, in the "C" locale.
//!
//! A number from -128 to 255 is a byte, any other the text of the number, both deprecated; what is neither string nor number
//! is no match.

use jumbo_abi::{Cx, Res, Value, View};

fn all(cx: &mut Cx, text: &Value, is: fn(u8) -> bool, digits: bool, minus: bool) -> Res<bool> {
    if let View::Str(s) = text.view_deref() {
        return Ok(!s.is_empty() && s.iter().all(|&b| is(b)));
    }
    let kind = jumbo_abi::args::type_name(text.deref());
    let kind: &[u8] = if text.deref().is_bool() { b"bool" } else { &kind };
    cx.deprecated([b"Argument of type ".as_slice(), kind, b" will be interpreted as string in the future"])?;
    let View::Int(i) = text.view_deref() else { return Ok(false) };
    Ok(match i {
        0..=255 => is(i as u8),
        -128..=-1 => is((i + 256) as u8),
        256.. => digits,
        // The text of the number has a minus sign.
        _ => minus,
    })
}

pub fn ctype_alnum(cx: &mut Cx, text: &Value) -> Res<bool> {
    all(cx, text, |b| b.is_ascii_alphanumeric(), true, false)
}

pub fn ctype_alpha(cx: &mut Cx, text: &Value) -> Res<bool> {
    all(cx, text, |b| b.is_ascii_alphabetic(), false, false)
}

pub fn ctype_cntrl(cx: &mut Cx, text: &Value) -> Res<bool> {
    all(cx, text, |b| b.is_ascii_control(), false, false)
}

pub fn ctype_digit(cx: &mut Cx, text: &Value) -> Res<bool> {
    all(cx, text, |b| b.is_ascii_digit(), true, false)
}

pub fn ctype_graph(cx: &mut Cx, text: &Value) -> Res<bool> {
    all(cx, text, |b| b.is_ascii_graphic(), true, true)
}

pub fn ctype_lower(cx: &mut Cx, text: &Value) -> Res<bool> {
    all(cx, text, |b| b.is_ascii_lowercase(), false, false)
}

pub fn ctype_print(cx: &mut Cx, text: &Value) -> Res<bool> {
    all(cx, text, |b| b.is_ascii_graphic() || b == b' ', true, true)
}

pub fn ctype_punct(cx: &mut Cx, text: &Value) -> Res<bool> {
    all(cx, text, |b| b.is_ascii_punctuation(), false, false)
}

pub fn ctype_space(cx: &mut Cx, text: &Value) -> Res<bool> {
    all(cx, text, |b| matches!(b, b' ' | b'\t'..=b'\r'), false, false)
}

pub fn ctype_upper(cx: &mut Cx, text: &Value) -> Res<bool> {
    all(cx, text, |b| b.is_ascii_uppercase(), false, false)
}

pub fn ctype_xdigit(cx: &mut Cx, text: &Value) -> Res<bool> {
    all(cx, text, |b| b.is_ascii_hexdigit(), true, false)
}
