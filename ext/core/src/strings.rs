//! Length and comparison of strings.

use jumbo_abi::{Cx, PStr, Res};
use jumbo_value::{Raw, Value};
use std::cmp::Ordering;

/// The length of what is text already.
pub fn strlen_of_text(_cx: &mut Cx, args: &[Value]) -> Raw {
    match args {
        [text] => text.as_str().map_or(Raw::UNDEF, |text| Raw::int(text.len() as i64)),
        _ => Raw::UNDEF,
    }
}

pub fn strlen(_cx: &mut Cx, string: &PStr) -> i64 {
    string.len() as i64
}

fn sign(ordering: Ordering) -> i64 {
    ordering as i64
}

pub fn strcmp(_cx: &mut Cx, a: &PStr, b: &PStr) -> i64 {
    byte_compare(a.as_bytes(), b.as_bytes())
}

/// The difference of the first unequal bytes, else the sign of that of the lengths: what PHP returns.
fn byte_compare(a: &[u8], b: &[u8]) -> i64 {
    match a.iter().zip(b).find(|(x, y)| x != y) {
        Some((x, y)) => i64::from(*x) - i64::from(*y),
        None => sign(a.len().cmp(&b.len())),
    }
}

fn checked_length(cx: &mut Cx, length: i64) -> Res<usize> {
    usize::try_from(length).map_err(|_| cx.arg_value_error(3, "must be greater than or equal to 0"))
}

fn first(bytes: &[u8], length: usize) -> &[u8] {
    bytes.get(..length).unwrap_or(bytes)
}

pub fn strncmp(cx: &mut Cx, a: &PStr, b: &PStr, length: i64) -> Res<i64> {
    let length = checked_length(cx, length)?;
    Ok(byte_compare(first(a.as_bytes(), length), first(b.as_bytes(), length)))
}

/// As [`byte_compare`], in lower case.
fn case_compare(a: &[u8], b: &[u8]) -> i64 {
    for (x, y) in a.iter().zip(b) {
        let (x, y) = (x.to_ascii_lowercase(), y.to_ascii_lowercase());
        if x != y {
            return i64::from(x) - i64::from(y);
        }
    }
    sign(a.len().cmp(&b.len()))
}

pub fn strcasecmp(_cx: &mut Cx, a: &PStr, b: &PStr) -> i64 {
    case_compare(a.as_bytes(), b.as_bytes())
}

pub fn strncasecmp(cx: &mut Cx, a: &PStr, b: &PStr, length: i64) -> Res<i64> {
    let length = checked_length(cx, length)?;
    Ok(case_compare(first(a.as_bytes(), length), first(b.as_bytes(), length)))
}
