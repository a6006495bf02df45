//! The functions that count in characters: length, parts, places, case, width, trimming.

use crate::case::{self, Mode};
use crate::encoding::Encoding;
use crate::settings::{encoding, substitute};
use crate::text::{self, Part, Search, SearchError, TrimError};
use crate::unicode::Case;
use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res};
use jumbo_value::PStrBuilder;

fn owned(string: &PStr, part: Part<'_>) -> Res<PStr> {
    Ok(match part {
        Part::Same(part) if part.len() == string.len() => string.clone(),
        Part::Same(part) => PStr::new(part),
        Part::Made(text) => text.finish(),
    })
}

pub fn mb_strlen(cx: &mut Cx, string: &PStr, name: Option<&PStr>) -> Res<i64> {
    let encoding = encoding(cx, 2, name)?;
    Ok(text::length(string, encoding)? as i64)
}

pub fn mb_substr(cx: &mut Cx, string: &PStr, start: i64, length: Option<i64>, name: Option<&PStr>) -> Res<PStr> {
    let whole = "must be between -9223372036854775807 and 9223372036854775807";
    if start == i64::MIN {
        return Err(cx.arg_value_error(2, whole));
    }
    if length == Some(i64::MIN) {
        return Err(cx.arg_value_error(3, whole));
    }
    let encoding = encoding(cx, 4, name)?;
    let substitute = substitute(cx);
    owned(string, text::substr(string, start, length, encoding, substitute)?)
}

fn position(cx: &mut Cx, haystack: &PStr, needle: &PStr, offset: i64, search: Search, name: Option<&PStr>) -> Res<OrFalse<i64>> {
    let encoding = encoding(cx, 4, name)?;
    match text::position(haystack, needle, offset, search, encoding) {
        Ok(at) => Ok(OrFalse(at.map(|at| at as i64))),
        Err(SearchError::Memory(refused)) => Err(refused.into()),
        Err(SearchError::OutOfRange) => Err(cx.arg_value_error(3, "must be contained in argument #1 ($haystack)")),
    }
}

pub fn mb_strpos(cx: &mut Cx, haystack: &PStr, needle: &PStr, offset: i64, name: Option<&PStr>) -> Res<OrFalse<i64>> {
    position(cx, haystack, needle, offset, Search { last: false, fold: false }, name)
}

pub fn mb_strrpos(cx: &mut Cx, haystack: &PStr, needle: &PStr, offset: i64, name: Option<&PStr>) -> Res<OrFalse<i64>> {
    position(cx, haystack, needle, offset, Search { last: true, fold: false }, name)
}

pub fn mb_stripos(cx: &mut Cx, haystack: &PStr, needle: &PStr, offset: i64, name: Option<&PStr>) -> Res<OrFalse<i64>> {
    position(cx, haystack, needle, offset, Search { last: false, fold: true }, name)
}

pub fn mb_strripos(cx: &mut Cx, haystack: &PStr, needle: &PStr, offset: i64, name: Option<&PStr>) -> Res<OrFalse<i64>> {
    position(cx, haystack, needle, offset, Search { last: true, fold: true }, name)
}

/// What is before the needle, or from it on.
fn around(cx: &mut Cx, haystack: &PStr, needle: &PStr, before: bool, search: Search, name: Option<&PStr>) -> Res<OrFalse<PStr>> {
    let encoding = encoding(cx, 4, name)?;
    let at = match text::position(haystack, needle, 0, search, encoding) {
        Ok(Some(at)) => at,
        Err(SearchError::Memory(refused)) => return Err(refused.into()),
        Ok(None) | Err(SearchError::OutOfRange) => return Ok(OrFalse::FALSE),
    };
    let at = at as i64;
    let substitute = substitute(cx);
    let part = match before {
        true => text::substr(haystack, 0, Some(at), encoding, substitute)?,
        false => text::substr(haystack, at, None, encoding, substitute)?,
    };
    owned(haystack, part).map(|part| OrFalse(Some(part)))
}

pub fn mb_strstr(cx: &mut Cx, haystack: &PStr, needle: &PStr, before: bool, name: Option<&PStr>) -> Res<OrFalse<PStr>> {
    around(cx, haystack, needle, before, Search { last: false, fold: false }, name)
}

pub fn mb_strrchr(cx: &mut Cx, haystack: &PStr, needle: &PStr, before: bool, name: Option<&PStr>) -> Res<OrFalse<PStr>> {
    around(cx, haystack, needle, before, Search { last: true, fold: false }, name)
}

pub fn mb_stristr(cx: &mut Cx, haystack: &PStr, needle: &PStr, before: bool, name: Option<&PStr>) -> Res<OrFalse<PStr>> {
    around(cx, haystack, needle, before, Search { last: false, fold: true }, name)
}

pub fn mb_strrichr(cx: &mut Cx, haystack: &PStr, needle: &PStr, before: bool, name: Option<&PStr>) -> Res<OrFalse<PStr>> {
    around(cx, haystack, needle, before, Search { last: true, fold: true }, name)
}

pub fn mb_substr_count(cx: &mut Cx, haystack: &PStr, needle: &PStr, name: Option<&PStr>) -> Res<i64> {
    if needle.is_empty() {
        return Err(cx.arg_value_error(2, "must not be empty"));
    }
    let encoding = encoding(cx, 3, name)?;
    if encoding.decode_charged(needle)?.is_empty() {
        return Err(cx.arg_value_error(2, "must not be empty"));
    }
    Ok(text::count(haystack, needle, encoding)? as i64)
}

fn converted(cx: &mut Cx, string: &PStr, mode: Mode, encoding: &Encoding) -> Res<PStr> {
    let substitute = substitute(cx);
    Ok(case::convert_case(string, mode, encoding, substitute)?.finish())
}

/// Case mappings by the number of their mode, which is known to exist.
fn by_number(cx: &mut Cx, string: &PStr, mode: i64, n: u32, name: Option<&PStr>) -> Res<PStr> {
    let encoding = encoding(cx, n, name)?;
    match Mode::from_number(mode) {
        Some(mode) => converted(cx, string, mode, encoding),
        None => Err(cx.arg_value_error(2, "must be one of the MB_CASE_* constants")),
    }
}

pub fn mb_strtolower(cx: &mut Cx, string: &PStr, name: Option<&PStr>) -> Res<PStr> {
    by_number(cx, string, 1, 2, name)
}

pub fn mb_strtoupper(cx: &mut Cx, string: &PStr, name: Option<&PStr>) -> Res<PStr> {
    by_number(cx, string, 0, 2, name)
}

pub fn mb_convert_case(cx: &mut Cx, string: &PStr, mode: i64, name: Option<&PStr>) -> Res<PStr> {
    by_number(cx, string, mode, 3, name)
}

fn first(cx: &mut Cx, string: &PStr, case: Case, name: Option<&PStr>) -> Res<PStr> {
    let encoding = encoding(cx, 2, name)?;
    let substitute = substitute(cx);
    Ok(case::convert_first(string, case, encoding, substitute)?.map_or_else(|| string.clone(), PStrBuilder::finish))
}

pub fn mb_ucfirst(cx: &mut Cx, string: &PStr, name: Option<&PStr>) -> Res<PStr> {
    first(cx, string, Case::Title, name)
}

pub fn mb_lcfirst(cx: &mut Cx, string: &PStr, name: Option<&PStr>) -> Res<PStr> {
    first(cx, string, Case::Lower, name)
}

pub fn mb_str_split(cx: &mut Cx, string: &PStr, length: i64, name: Option<&PStr>) -> Res<PArray> {
    let Some(length) = usize::try_from(length).ok().filter(|&l| l > 0) else {
        return Err(cx.arg_value_error(2, "must be greater than 0"));
    };
    /// As many characters as stock PHP has room for.
    const LENGTH_MAX: usize = (u32::MAX / 4) as usize;
    if length > LENGTH_MAX {
        return Err(cx.arg_value_error(2, "is too large"));
    }
    let encoding = encoding(cx, 3, name)?;
    let substitute = substitute(cx);
    let mut pieces = PArray::new();
    text::split(string, length, encoding, substitute, &mut |piece| {
        pieces.append(PStr::new(piece));
        cx.check()
    })?;
    Ok(pieces)
}

pub fn mb_strwidth(cx: &mut Cx, string: &PStr, name: Option<&PStr>) -> Res<i64> {
    let encoding = encoding(cx, 2, name)?;
    Ok(text::width(string, encoding)? as i64)
}

pub fn mb_strimwidth(cx: &mut Cx, string: &PStr, start: i64, width: i64, marker: &PStr, name: Option<&PStr>) -> Res<PStr> {
    let encoding = encoding(cx, 5, name)?;
    let substitute = substitute(cx);
    let trimmed = text::trim_width(string, start, width, marker, encoding, substitute);
    if width < 0 && !matches!(trimmed, Err(TrimError::OutOfRange(2) | TrimError::Memory(_))) {
        cx.deprecated("passing a negative integer to argument #3 ($width) is deprecated")?;
    }
    match trimmed {
        Ok(text) => Ok(text.finish()),
        Err(TrimError::OutOfRange(n)) => Err(cx.arg_value_error(n, "is out of range")),
        Err(TrimError::Memory(refused)) => Err(refused.into()),
    }
}

pub fn mb_strcut(cx: &mut Cx, string: &PStr, start: i64, length: Option<i64>, name: Option<&PStr>) -> Res<PStr> {
    let encoding = encoding(cx, 4, name)?;
    let substitute = substitute(cx);
    let part = text::cut(string, start, length, encoding, substitute)?;
    owned(string, part.unwrap_or(Part::Same(b"")))
}

pub fn mb_str_pad(cx: &mut Cx, string: &PStr, length: i64, pad: &PStr, pad_type: i64, name: Option<&PStr>) -> Res<PStr> {
    let encoding = encoding(cx, 5, name)?;
    let length = usize::try_from(length).unwrap_or(0);
    if length <= text::length(string, encoding)? {
        return Ok(string.clone());
    }
    if text::length(pad, encoding)? == 0 {
        return Err(cx.arg_value_error(3, "must not be empty"));
    }
    let (left, right) = match pad_type {
        0 => (true, false),
        1 => (false, true),
        2 => (true, true),
        _ => return Err(cx.arg_value_error(4, "must be STR_PAD_LEFT, STR_PAD_RIGHT, or STR_PAD_BOTH")),
    };
    cx.check_room(length)?;
    Ok(text::pad(string, length, pad, left, right, encoding)?.finish())
}

fn trimmed(cx: &mut Cx, string: &PStr, characters: Option<&PStr>, name: Option<&PStr>, sides: (bool, bool)) -> Res<PStr> {
    let encoding = encoding(cx, 3, name)?;
    let substitute = substitute(cx);
    let characters = characters.map(PStr::as_bytes);
    Ok(text::trim(string, characters, sides, encoding, substitute)?)
}

pub fn mb_trim(cx: &mut Cx, string: &PStr, characters: Option<&PStr>, name: Option<&PStr>) -> Res<PStr> {
    trimmed(cx, string, characters, name, (true, true))
}

pub fn mb_ltrim(cx: &mut Cx, string: &PStr, characters: Option<&PStr>, name: Option<&PStr>) -> Res<PStr> {
    trimmed(cx, string, characters, name, (true, false))
}

pub fn mb_rtrim(cx: &mut Cx, string: &PStr, characters: Option<&PStr>, name: Option<&PStr>) -> Res<PStr> {
    trimmed(cx, string, characters, name, (false, true))
}
