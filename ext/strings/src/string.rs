//! Parts of strings, places in strings, letter case, trimming: what most programs call most.
//!
//! Offsets and lengths follow PHP's rules: negative ones count from the end. Letter case is that of ASCII since PHP 8.2.

use crate::format::to_int;
use crate::pure::charlist::{self, ByteSet, Ends};
use crate::pure::shape::{self, PadSide, RangeError};
use crate::pure::{compare, hebrew, replace};
use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res, Value, View};
use jumbo_value::PStrBuilder;
use memchr::memmem;
use std::cmp::Ordering;
use std::ops::Range;

/// For searching.
fn lower_case(text: &[u8]) -> PStr {
    PStr::mapped(text, |byte| byte.to_ascii_lowercase())
}

fn order(o: Ordering) -> i64 {
    o as i64
}

// ---- places

pub fn str_contains(_cx: &mut Cx, haystack: &PStr, needle: &PStr) -> bool {
    find(haystack, needle).is_some()
}

pub fn str_starts_with(_cx: &mut Cx, haystack: &PStr, needle: &PStr) -> bool {
    haystack.as_bytes().starts_with(needle.as_bytes())
}

pub fn str_ends_with(_cx: &mut Cx, haystack: &PStr, needle: &PStr) -> bool {
    haystack.as_bytes().ends_with(needle.as_bytes())
}

/// First place of `needle`; the empty one is at the start.
pub(crate) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    match needle {
        [] => Some(0),
        _ => replace::find(haystack, needle),
    }
}

pub(crate) fn find_last(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    match needle {
        [] => Some(haystack.len()),
        [byte] => memchr::memrchr(*byte, haystack),
        _ => memmem::rfind(haystack, needle),
    }
}

/// Where a search from `offset` begins.
fn search_start(cx: &mut Cx, haystack: &PStr, offset: i64) -> Res<usize> {
    let len = haystack.len() as i64;
    let start = if offset < 0 { offset.saturating_add(len) } else { offset };
    if start < 0 || start > len {
        return Err(cx.arg_value_error(3, "must be contained in argument #1 ($haystack)"));
    }
    Ok(start as usize)
}

pub fn strpos(cx: &mut Cx, haystack: &PStr, needle: &PStr, offset: i64) -> Res<OrFalse<i64>> {
    let start = search_start(cx, haystack, offset)?;
    Ok(OrFalse(find(&haystack[start..], needle).map(|at| (start + at) as i64)))
}

pub fn stripos(cx: &mut Cx, haystack: &PStr, needle: &PStr, offset: i64) -> Res<OrFalse<i64>> {
    let start = search_start(cx, haystack, offset)?;
    let lower = lower_case(&haystack[start..]);
    Ok(OrFalse(find(&lower, &lower_case(needle)).map(|at| (start + at) as i64)))
}

/// The part of the haystack in which strrpos looks: a negative offset says where the match may begin at the latest.
fn reverse_range(cx: &mut Cx, haystack: &PStr, needle: &PStr, offset: i64) -> Res<Range<usize>> {
    let len = haystack.len();
    let out_of_range = if offset >= 0 { offset as u64 > len as u64 } else { offset.unsigned_abs() > len as u64 };
    if out_of_range {
        return Err(cx.arg_value_error(3, "must be contained in argument #1 ($haystack)"));
    }
    Ok(if offset >= 0 {
        offset as usize..len
    } else {
        let latest = len - offset.unsigned_abs() as usize;
        0..latest.saturating_add(needle.len()).min(len)
    })
}

pub fn strrpos(cx: &mut Cx, haystack: &PStr, needle: &PStr, offset: i64) -> Res<OrFalse<i64>> {
    let range = reverse_range(cx, haystack, needle, offset)?;
    let start = range.start;
    Ok(OrFalse(find_last(&haystack[range], needle).map(|at| (start + at) as i64)))
}

pub fn strripos(cx: &mut Cx, haystack: &PStr, needle: &PStr, offset: i64) -> Res<OrFalse<i64>> {
    let range = reverse_range(cx, haystack, needle, offset)?;
    let start = range.start;
    let lower = lower_case(&haystack[range]);
    Ok(OrFalse(find_last(&lower, &lower_case(needle)).map(|at| (start + at) as i64)))
}

fn around(haystack: &PStr, at: Option<usize>, before: bool) -> OrFalse<PStr> {
    OrFalse(at.map(|at| if before { haystack.slice(0, at) } else { haystack.slice(at, haystack.len()) }))
}

pub fn strstr(_cx: &mut Cx, haystack: &PStr, needle: &PStr, before_needle: bool) -> OrFalse<PStr> {
    around(haystack, find(haystack, needle), before_needle)
}

pub fn stristr(_cx: &mut Cx, haystack: &PStr, needle: &PStr, before_needle: bool) -> OrFalse<PStr> {
    let at = find(&lower_case(haystack), &lower_case(needle));
    around(haystack, at, before_needle)
}

/// Only the needle's first byte counts; of an empty one that is the NUL after its end.
pub fn strrchr(_cx: &mut Cx, haystack: &PStr, needle: &PStr, before_needle: bool) -> OrFalse<PStr> {
    let byte = needle.byte_at(0).unwrap_or(0);
    around(haystack, memchr::memrchr(byte, haystack), before_needle)
}

pub fn strpbrk(cx: &mut Cx, string: &PStr, characters: &PStr) -> Res<OrFalse<PStr>> {
    if characters.is_empty() {
        return Err(cx.arg_value_error(2, "must be a non-empty string"));
    }
    let set = ByteSet::literal(characters);
    let at = string.iter().position(|&b| set.contains(b));
    Ok(OrFalse(at.map(|at| string.slice(at, string.len()))))
}

/// The range that substr_count and substr_compare demand to lie in the haystack.
fn strict(cx: &mut Cx, string: &PStr, offset: i64, length: Option<i64>) -> Res<Range<usize>> {
    shape::strict_range(string.len(), offset, length).map_err(|e| {
        let n = match e {
            RangeError::Offset => 3,
            RangeError::Length => 4,
        };
        cx.arg_value_error(n, "must be contained in argument #1 ($haystack)")
    })
}

pub fn substr_count(cx: &mut Cx, haystack: &PStr, needle: &PStr, offset: i64, length: Option<i64>) -> Res<i64> {
    if needle.is_empty() {
        return Err(cx.arg_value_error(2, "must not be empty"));
    }
    let range = strict(cx, haystack, offset, length)?;
    Ok(replace::count(&haystack[range], needle) as i64)
}

pub fn substr_compare(
    cx: &mut Cx,
    haystack: &PStr,
    needle: &PStr,
    offset: i64,
    length: Option<i64>,
    case_insensitive: bool,
) -> Res<i64> {
    if let Some(length) = length {
        if length == 0 {
            return Ok(0);
        }
        if length < 0 {
            return Err(cx.arg_value_error(4, "must be greater than or equal to 0"));
        }
    }
    let start = if offset < 0 { (offset.saturating_add(haystack.len() as i64)).max(0) } else { offset };
    let Some(rest) = usize::try_from(start).ok().and_then(|start| haystack.get(start..)) else {
        return Err(cx.arg_value_error(3, "must be contained in argument #1 ($haystack)"));
    };
    let limit = length.and_then(|l| usize::try_from(l).ok()).unwrap_or(usize::MAX);
    let (a, b) = (&rest[..rest.len().min(limit)], &needle[..needle.len().min(limit)]);
    let lower = |byte: &u8| if case_insensitive { byte.to_ascii_lowercase() } else { *byte };
    // The difference of the first unequal bytes, as strcmp returns it.
    Ok(match a.iter().map(lower).zip(b.iter().map(lower)).find(|(x, y)| x != y) {
        Some((x, y)) => i64::from(x) - i64::from(y),
        None => order(a.len().cmp(&b.len())),
    })
}

pub fn strspn(_cx: &mut Cx, string: &PStr, characters: &PStr, offset: i64, length: Option<i64>) -> i64 {
    let part = &string[shape::substr_range(string.len(), offset, length)];
    let set = ByteSet::literal(characters);
    part.iter().take_while(|&&b| set.contains(b)).count() as i64
}

pub fn strcspn(_cx: &mut Cx, string: &PStr, characters: &PStr, offset: i64, length: Option<i64>) -> i64 {
    let part = &string[shape::substr_range(string.len(), offset, length)];
    let set = ByteSet::literal(characters);
    part.iter().take_while(|&&b| !set.contains(b)).count() as i64
}

// ---- parts

pub fn substr(_cx: &mut Cx, string: &PStr, offset: i64, length: Option<i64>) -> PStr {
    let range = shape::substr_range(string.len(), offset, length);
    string.slice(range.start, range.end)
}

/// `string` with the part that substr would give replaced.
fn replace_part(string: &PStr, with: &[u8], offset: i64, length: Option<i64>) -> PStr {
    let range = shape::substr_range(string.len(), offset, length);
    PStr::concat(&[&string[..range.start], with, &string[range.end..]])
}

/// Conversions that throw do not keep the others from being made.
pub fn substr_replace(cx: &mut Cx, string: &Value, replace: &Value, offset: &Value, length: Option<&Value>) -> Res<Value> {
    let View::Array(strings) = string.view_deref() else {
        let string = cx.text_despite(string)?;
        if offset.is_array() {
            return Err(cx.arg_type_error(3, "cannot be an array when working on a single string"));
        }
        if length.is_some_and(Value::is_array) {
            return Err(cx.arg_type_error(4, "cannot be an array when working on a single string"));
        }
        let offset = offset.as_int().unwrap_or(0);
        let length = length.and_then(Value::as_int);
        let with = match replace.view_deref() {
            View::Array(list) => match list.values().next().map(Value::copy_deref) {
                Some(first) => cx.text_despite(&first)?,
                None => PStr::empty(),
            },
            _ => cx.text_despite(replace)?,
        };
        return cx.unless_thrown(Value::from(replace_part(&string, &with, offset, length)));
    };
    // The values of arrays are used up one after the other.
    let mut offsets = offset.as_array().map(PArray::entries);
    let mut lengths = length.and_then(Value::as_array).map(PArray::entries);
    let mut replacements = replace.as_array().map(PArray::entries);
    let fixed = match replacements {
        Some(_) => PStr::empty(),
        None => cx.text_despite(replace)?,
    };
    let mut result = PArray::with_capacity(strings.len());
    for (key, value) in strings.entries() {
        let string = cx.text_despite(&value)?;
        let offset = match &mut offsets {
            Some(queue) => match queue.next() {
                Some((_, v)) => to_int(cx, v.deref())?,
                None => 0,
            },
            None => offset.as_int().unwrap_or(0),
        };
        let length = match &mut lengths {
            Some(queue) => match queue.next() {
                Some((_, v)) => Some(to_int(cx, v.deref())?),
                None => Some(string.len() as i64),
            },
            None => length.and_then(Value::as_int),
        };
        let with = match &mut replacements {
            Some(queue) => match queue.next() {
                Some((_, v)) => cx.text_despite(&v)?,
                None => PStr::empty(),
            },
            None => fixed.clone(),
        };
        result.set(key, Value::from(replace_part(&string, &with, offset, length)));
    }
    cx.unless_thrown(Value::from(result))
}

// ---- letter case

/// `string` in lower case; the same string when that changes nothing.
pub fn strtolower(_cx: &mut Cx, string: &PStr) -> PStr {
    match string.iter().position(u8::is_ascii_uppercase) {
        None => string.clone(),
        Some(_) => PStr::mapped(string, |byte| byte.to_ascii_lowercase()),
    }
}

pub fn strtoupper(_cx: &mut Cx, string: &PStr) -> PStr {
    match string.iter().position(u8::is_ascii_lowercase) {
        None => string.clone(),
        Some(_) => PStr::mapped(string, |byte| byte.to_ascii_uppercase()),
    }
}

fn with_first(string: &PStr, change: impl Fn(u8) -> u8) -> PStr {
    match string.byte_at(0) {
        Some(first) if change(first) != first => PStr::build(string.len(), |out| {
            out.copy_from_slice(string);
            out[0] = change(first);
        }),
        _ => string.clone(),
    }
}

pub fn ucfirst(_cx: &mut Cx, string: &PStr) -> PStr {
    with_first(string, |b| b.to_ascii_uppercase())
}

pub fn lcfirst(_cx: &mut Cx, string: &PStr) -> PStr {
    with_first(string, |b| b.to_ascii_lowercase())
}

pub fn ucwords(cx: &mut Cx, string: &PStr, separators: &PStr) -> Res<PStr> {
    let set = if separators == b" \t\r\n\x0c\x0b" { shape::UCWORDS_DELIMITERS } else { charlist(cx, separators)? };
    Ok(PStr::build(string.len(), |out| {
        out.copy_from_slice(string);
        shape::ucwords(out, &set);
    }))
}

// ---- trimming and filling

/// A list of characters with ranges (`a..z`), and PHP's warnings about it.
pub(crate) fn charlist(cx: &mut Cx, list: &PStr) -> Res<ByteSet> {
    let (set, warnings) = charlist::parse(list);
    for warning in warnings {
        cx.warning(warning)?;
    }
    Ok(set)
}

fn trimmed(cx: &mut Cx, string: &PStr, characters: &PStr, ends: Ends) -> Res<PStr> {
    let set = if characters == b" \n\r\t\x0b\0" { ByteSet::TRIM_DEFAULT } else { charlist(cx, characters)? };
    let part = charlist::trim(string, &set, ends);
    Ok(if part.len() == string.len() { string.clone() } else { PStr::new(part) })
}

pub fn trim(cx: &mut Cx, string: &PStr, characters: &PStr) -> Res<PStr> {
    trimmed(cx, string, characters, Ends::Both)
}

pub fn ltrim(cx: &mut Cx, string: &PStr, characters: &PStr) -> Res<PStr> {
    trimmed(cx, string, characters, Ends::Left)
}

pub fn rtrim(cx: &mut Cx, string: &PStr, characters: &PStr) -> Res<PStr> {
    trimmed(cx, string, characters, Ends::Right)
}

pub fn str_repeat(cx: &mut Cx, string: &PStr, times: i64) -> Res<PStr> {
    let Ok(times) = usize::try_from(times) else {
        return Err(cx.arg_value_error(2, "must be greater than or equal to 0"));
    };
    if string.is_empty() || times == 0 {
        return Ok(PStr::empty());
    }
    let Some(len) = string.len().checked_mul(times).filter(|&len| len < isize::MAX as usize / 2) else {
        return Err(cx.fatal(b"Possible integer overflow in memory allocation"));
    };
    Ok(PStr::build(len, |out| match string.as_bytes() {
        [byte] => out.fill(*byte),
        bytes => out.chunks_exact_mut(bytes.len()).for_each(|chunk| chunk.copy_from_slice(bytes)),
    }))
}

pub fn str_pad(cx: &mut Cx, string: &PStr, length: i64, pad_string: &PStr, pad_type: i64) -> Res<PStr> {
    let Some(length) = usize::try_from(length).ok().filter(|&l| l > string.len()) else { return Ok(string.clone()) };
    if pad_string.is_empty() {
        return Err(cx.arg_value_error(3, "must not be empty"));
    }
    let side = match pad_type {
        0 => PadSide::Left,
        1 => PadSide::Right,
        2 => PadSide::Both,
        _ => return Err(cx.arg_value_error(4, "must be STR_PAD_LEFT, STR_PAD_RIGHT, or STR_PAD_BOTH")),
    };
    // What goes left and right; the filling begins anew on each side.
    let fill = length - string.len();
    let left = match side {
        PadSide::Left => fill,
        PadSide::Right => 0,
        PadSide::Both => fill / 2,
    };
    let mut out = PStrBuilder::with_capacity(length)?;
    let pad = |out: &mut PStrBuilder, count: usize| (0..count).try_for_each(|at| out.push(pad_string[at % pad_string.len()]));
    pad(&mut out, left)?;
    out.extend(string)?;
    pad(&mut out, fill - left)?;
    Ok(out.finish())
}

pub fn hebrev(_cx: &mut Cx, string: &PStr, max_chars_per_line: i64) -> Res<PStr> {
    Ok(hebrew::visual(string, max_chars_per_line)?)
}

pub fn strrev(_cx: &mut Cx, string: &PStr) -> PStr {
    PStr::build(string.len(), |out| {
        out.copy_from_slice(string);
        out.reverse();
    })
}

// ---- bytes and comparison

pub fn ord(_cx: &mut Cx, character: &PStr) -> i64 {
    i64::from(character.byte_at(0).unwrap_or(0))
}

pub fn chr(_cx: &mut Cx, codepoint: i64) -> PStr {
    PStr::single_byte(codepoint as u8)
}

/// The locale's order: only that of "C" exists.
pub fn strcoll(_cx: &mut Cx, string1: &PStr, string2: &PStr) -> i64 {
    compare::collate(string1, string2)
}

pub fn strnatcmp(_cx: &mut Cx, string1: &PStr, string2: &PStr) -> i64 {
    order(compare::natural(string1, string2, false))
}

pub fn strnatcasecmp(_cx: &mut Cx, string1: &PStr, string2: &PStr) -> i64 {
    order(compare::natural(string1, string2, true))
}

pub fn str_shuffle(cx: &mut Cx, string: &PStr) -> Res<PStr> {
    let mut out = PStrBuilder::with_capacity(string.len())?;
    out.extend(string)?;
    let bytes = out.as_mut_bytes();
    if bytes.len() > jumbo_ext_random::instance::PLACES_MAX {
        jumbo_ext_random::instance::shuffle_many(cx, bytes.len(), |a, b| bytes.swap(a, b))?;
        return Ok(out.finish());
    }
    let engine = jumbo_ext_random::instance::shared(cx);
    match jumbo_ext_random::pick::shuffle(engine, bytes.len(), |a, b| bytes.swap(a, b)) {
        Ok(()) => Ok(out.finish()),
        Err(_) => Err(jumbo_ext_random::functions::no_randomness(cx)),
    }
}
