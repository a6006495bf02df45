//! PHP 8's comparisons of scalars, strings and arrays. Objects come back as [`Uncomparable::Object`]: the engine knows their rules.

use crate::array::{KeyRef, PArray};
use crate::convert::{int_to_string, to_bool};
use crate::number::{self, Number, Numeric};
use crate::string::PStr;
use crate::value::{Value, View};
use std::cmp::Ordering;

/// Why no order was found here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncomparable {
    /// An object takes part: the engine decides.
    Object,
    /// Arrays with different keys, NAN: PHP says 1 (greater) for `<=>`, and unequal.
    No,
}

/// How a comparison ended: an order or the reason why there is none.
pub type Compared = Result<Ordering, Uncomparable>;

fn floats(a: f64, b: f64) -> Compared {
    a.partial_cmp(&b).ok_or(Uncomparable::No)
}

fn numbers(a: Number, b: Number) -> Compared {
    match (a, b) {
        (Number::Int(x), Number::Int(y)) => Ok(x.cmp(&y)),
        _ => floats(a.to_f64(), b.to_f64()),
    }
}

/// `<=>` of two values. `nested` is called for pairs in which an object takes part (at any depth of arrays), and for pairs of arrays
/// inside arrays, which it is to hand to [`compare_arrays`] after a look at the native stack and at cycles (through references).
pub fn compare<E>(a: &Value, b: &Value, nested: &mut dyn FnMut(&Value, &Value) -> Result<Compared, E>) -> Result<Compared, E> {
    let done = match (a.view(), b.view()) {
        (View::Ref(_), _) | (_, View::Ref(_)) => return compare(&a.copy_deref(), &b.copy_deref(), nested),
        (View::Object(_), _) | (_, View::Object(_)) => return nested(a, b),
        (View::Int(x), View::Int(y)) => Ok(x.cmp(&y)),
        (View::Float(x), View::Float(y)) => floats(x, y),
        (View::Int(x), View::Float(y)) => floats(x as f64, y),
        (View::Float(x), View::Int(y)) => floats(x, y as f64),
        (View::Str(x), View::Str(y)) => Ok(compare_strings_smart(x.as_bytes(), y.as_bytes())),
        (View::Bool(_) | View::Null | View::Undef, View::Str(s)) if !matches!(a.view(), View::Bool(_)) => {
            Ok(if s.is_empty() { Ordering::Equal } else { Ordering::Less })
        }
        (View::Str(s), View::Null | View::Undef) => Ok(if s.is_empty() { Ordering::Equal } else { Ordering::Greater }),
        (View::Bool(_) | View::Null | View::Undef, _) | (_, View::Bool(_) | View::Null | View::Undef) => {
            Ok(to_bool(a).cmp(&to_bool(b)))
        }
        (View::Str(s), View::Int(_) | View::Float(_)) => compare_string_number(s, b),
        (View::Int(_) | View::Float(_), View::Str(s)) => compare_string_number(s, a).map(Ordering::reverse),
        (View::Array(x), View::Array(y)) => return compare_arrays(x, y, nested),
        (View::Array(_), _) => Ok(Ordering::Greater),
        (_, View::Array(_)) => Ok(Ordering::Less),
        (View::Resource(x), View::Resource(y)) => Ok(x.id().cmp(&y.id())),
        (View::Resource(r), _) => return compare(&Value::from(r.id()), b, nested),
        (_, View::Resource(r)) => return compare(a, &Value::from(r.id()), nested),
    };
    Ok(done)
}

/// A string with an int or float: as numbers when the string is numeric, else as strings.
fn compare_string_number(s: &PStr, number: &Value) -> Compared {
    let other = match number.view() {
        View::Int(i) => Number::Int(i),
        View::Float(f) => Number::Float(f),
        _ => return Err(Uncomparable::No),
    };
    if let Some(n) = number::parse_numeric(s.as_bytes()) {
        return numbers(n, other);
    }
    let text = match other {
        Number::Int(i) => int_to_string(i),
        Number::Float(f) if f.is_nan() => return Err(Uncomparable::No),
        // As text with the default `precision`: a comparison knows no settings.
        Number::Float(f) => PStr::new(&number::float_to_string(f, 14)),
    };
    Ok(s.as_bytes().cmp(text.as_bytes()))
}

/// Two strings: as numbers when both are numeric, else byte by byte.
pub fn compare_strings_smart(a: &[u8], b: &[u8]) -> Ordering {
    match smart(a, b) {
        Some(order) => order,
        None => a.cmp(b),
    }
}

/// `==` of two strings.
#[inline]
pub fn strings_equal_smart(a: &[u8], b: &[u8]) -> bool {
    if a == b {
        return true;
    }
    match (a.first(), b.first()) {
        // Neither letter nor anything above '9' starts a number.
        (Some(x), Some(y)) if *x <= b'9' && *y <= b'9' => smart(a, b) == Some(Ordering::Equal),
        _ => false,
    }
}

fn smart(a: &[u8], b: &[u8]) -> Option<Ordering> {
    let whole = |s: &[u8]| -> Option<Numeric> {
        match s.first()? {
            x if *x > b'9' => None,
            _ => number::parse_prefix(s).filter(|n| !n.trailing),
        }
    };
    let (x, y) = (whole(a)?, whole(b)?);
    if x.overflow != 0 || y.overflow != 0 {
        // Integers too large for one: not equal as floats only because both lost digits.
        if x.overflow == y.overflow && x.number.to_f64() - y.number.to_f64() == 0.0 {
            return None;
        }
        if matches!(x.number, Number::Int(_)) {
            return Some(if y.overflow > 0 { Ordering::Less } else { Ordering::Greater });
        }
        if matches!(y.number, Number::Int(_)) {
            return Some(if x.overflow > 0 { Ordering::Greater } else { Ordering::Less });
        }
    }
    if let (Number::Float(p), Number::Float(q)) = (x.number, y.number)
        && p.is_infinite()
        && p == q
    {
        return None;
    }
    numbers(x.number, y.number).ok()
}

/// `<=>` of two arrays; `nested` as in [`compare`].
pub fn compare_arrays<E>(a: &PArray, b: &PArray, nested: &mut dyn FnMut(&Value, &Value) -> Result<Compared, E>) -> Result<Compared, E> {
    if a.same(b) {
        return Ok(Ok(Ordering::Equal));
    }
    match a.len().cmp(&b.len()) {
        Ordering::Equal => {}
        order => return Ok(Ok(order)),
    }
    for (key, x) in a {
        let Some(y) = b.get_ref(key) else {
            return Ok(Err(Uncomparable::No));
        };
        let both_arrays = x.deref().is_array() && y.deref().is_array();
        let order = if both_arrays { nested(x, y)? } else { compare(x, y, nested)? };
        match order {
            Ok(Ordering::Equal) => {}
            other => return Ok(other),
        }
    }
    Ok(Ok(Ordering::Equal))
}

/// An array that contains itself (through references) was met again inside of itself: PHP throws an Error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContainsItself;

/// `===`. Objects are identical when they are the same.
pub fn identical(a: &Value, b: &Value) -> Result<bool, ContainsItself> {
    match shallow(a.deref(), b.deref()) {
        Shallow::Known(answer) => Ok(answer),
        Shallow::Arrays(x, y) => arrays_identical(x, y),
    }
}

/// What is known of two values without a look into arrays.
enum Shallow<'a> {
    Known(bool),
    Arrays(&'a PArray, &'a PArray),
}

fn shallow<'a>(a: &'a Value, b: &'a Value) -> Shallow<'a> {
    Shallow::Known(match (a.view(), b.view()) {
        (View::Undef | View::Null, View::Undef | View::Null) => true,
        (View::Bool(x), View::Bool(y)) => x == y,
        (View::Int(x), View::Int(y)) => x == y,
        (View::Float(x), View::Float(y)) => x == y,
        (View::Str(x), View::Str(y)) => x == y,
        (View::Array(x), View::Array(y)) if !x.same(y) => return Shallow::Arrays(x, y),
        (View::Array(_), View::Array(_)) => true,
        (View::Object(x), View::Object(y)) => x.id() == y.id(),
        (View::Resource(x), View::Resource(y)) => x.id() == y.id(),
        _ => false,
    })
}

/// The arrays that are open stand in a list of their own: however deep they are nested, the native stack does not grow.
fn arrays_identical(a: &PArray, b: &PArray) -> Result<bool, ContainsItself> {
    if a.len() != b.len() {
        return Ok(false);
    }
    let mut open = vec![(a, a.iter().zip(b.iter()))];
    while let Some((_, pairs)) = open.last_mut() {
        let Some(((k, x), (l, y))) = pairs.next() else {
            open.pop();
            continue;
        };
        let same_key = match (k, l) {
            (KeyRef::Int(i), KeyRef::Int(j)) => i == j,
            (KeyRef::Str(s), KeyRef::Str(t)) => s == t,
            _ => false,
        };
        if !same_key {
            return Ok(false);
        }
        match shallow(x.deref(), y.deref()) {
            Shallow::Known(true) => {}
            Shallow::Known(false) => return Ok(false),
            Shallow::Arrays(p, q) => {
                // Only a reference leads from an array into itself.
                if x.is_ref() && open.iter().any(|(outer, _)| outer.same(p)) {
                    return Err(ContainsItself);
                }
                if p.len() != q.len() {
                    return Ok(false);
                }
                open.push((p, p.iter().zip(q.iter())));
            }
        }
    }
    Ok(true)
}
