//! What several array functions share: copying elements, keys out of values, comparison with quick ways for plain kinds.

use jumbo_abi::{Cx, Key, KeyRef, PArray, PRef, PStr, Res, Stop, Value, View, args};
use jumbo_value::compare::{compare_strings_smart, strings_equal_smart};
use jumbo_value::convert::int_to_string;
use jumbo_value::number;
use std::cmp::Ordering;

/// An element for another array: a reference that nobody else holds is only its content.
#[inline]
pub fn element(value: &Value) -> Value {
    value.copy_element()
}

/// The array behind an element, references followed.
pub fn array_of(value: &Value) -> Option<PArray> {
    match value.view_deref() {
        View::Array(array) => Some(array.clone()),
        _ => None,
    }
}

/// Appends to an array that user code filled before, so its largest key may be taken.
pub fn push(cx: &mut Cx, array: &mut PArray, value: Value) -> Res<()> {
    match array.push(value) {
        Ok(()) => Ok(()),
        Err(_) => Err(next_element_occupied(cx)),
    }
}

#[cold]
pub fn next_element_occupied(cx: &mut Cx) -> Stop {
    cx.throw_error("Cannot add element to the array as the next element is already occupied")
}

/// Runs `change` on the array in a reference; the reference is empty meanwhile, so no PHP code may run in it.
pub fn update_array<R>(reference: &PRef, change: impl FnOnce(&mut PArray) -> R) -> Option<R> {
    let mut value = reference.take();
    let result = value.as_array_mut().map(|mut array| change(&mut array));
    reference.set(value);
    result
}

/// The array in a by-reference parameter whose type was checked at the call.
pub fn array_in(cx: &mut Cx, reference: &PRef, n: u32) -> Res<PArray> {
    let value = reference.get();
    match value.as_array() {
        Some(array) => Ok(array.clone()),
        None => Err(not_an_array(cx, &value, n)),
    }
}

#[cold]
pub fn not_an_array(cx: &mut Cx, value: &Value, n: u32) -> Stop {
    let given = args::type_name(value);
    cx.arg_type_error(n, [b"must be of type array, ".as_slice(), &given, b" given"])
}

/// Argument `n` (from 1) of a variadic list as an array.
pub fn array_argument<'a>(cx: &mut Cx, value: &'a Value, n: u32) -> Res<&'a PArray> {
    match value.deref().as_array() {
        Some(array) => Ok(array),
        None => Err(not_an_array(cx, value, n)),
    }
}

/// The key that a value gives where any scalar is turned into text first (array_combine, array_fill_keys, which go on in spite of
/// an exception).
pub fn text_key(cx: &mut Cx, value: &Value) -> Res<Key> {
    match value.view_deref() {
        View::Int(i) => Ok(Key::Int(i)),
        View::Str(s) => Ok(Key::from_str(s)),
        _ => {
            let content = value.copy_deref();
            Ok(Key::from_str(&cx.text_despite(&content)?))
        }
    }
}

/// The key that a value is as an array offset.
pub fn offset_key(cx: &mut Cx, value: &Value) -> Res<Key> {
    Ok(match value.view_deref() {
        View::Int(i) => Key::Int(i),
        View::Str(s) => Key::from_str(s),
        View::Null | View::Undef => Key::Str(PStr::empty()),
        View::Bool(b) => Key::Int(b as i64),
        View::Float(f) => {
            if !number::float_is_int(f) {
                cx.deprecated_fraction(&Value::from(f), f)?;
            }
            Key::Int(number::float_to_int(f))
        }
        View::Resource(r) => {
            let id = r.id();
            cx.raise(
                jumbo_abi::Level::Warning,
                format_args!("Resource ID#{id} used as offset, casting to integer ({id})"),
            )?;
            Key::Int(id)
        }
        View::Array(_) | View::Object(_) | View::Ref(_) => {
            let kind = args::type_name(value);
            return Err(cx.type_error([b"Cannot access offset of type ".as_slice(), &kind, b" on array"]));
        }
    })
}

/// Text of a value: as [`Cx::text_despite`], without its detour for what is text already. Who uses it ends with [`Cx::unless_thrown`].
#[inline]
pub fn text(cx: &mut Cx, value: &Value) -> Res<PStr> {
    match value.view_deref() {
        View::Str(s) => Ok(s.clone()),
        View::Int(i) => Ok(int_to_string(i)),
        _ => {
            let content = value.copy_deref();
            cx.text_despite(&content)
        }
    }
}

/// `<=>`; what has no order is greater.
#[inline]
pub fn compare(cx: &mut Cx, a: &Value, b: &Value) -> Res<i32> {
    Ok(match (a.view(), b.view()) {
        (View::Int(x), View::Int(y)) => order_number(x.cmp(&y)),
        (View::Str(x), View::Str(y)) => order_number(compare_strings_smart(x.as_bytes(), y.as_bytes())),
        (View::Float(x), View::Float(y)) => x.partial_cmp(&y).map_or(1, order_number),
        (View::Ref(_), _) | (_, View::Ref(_)) => {
            let (a, b) = (a.copy_deref(), b.copy_deref());
            return cx.compare(&a, &b);
        }
        _ => return cx.compare(a, b),
    })
}

#[inline]
pub fn order_number(order: Ordering) -> i32 {
    order as i32
}

/// `==`.
#[inline]
pub fn loose_equals(cx: &mut Cx, a: &Value, b: &Value) -> Res<bool> {
    Ok(match (a.view(), b.view()) {
        (View::Int(x), View::Int(y)) => x == y,
        (View::Str(x), View::Str(y)) => strings_equal_smart(x.as_bytes(), y.as_bytes()),
        (View::Ref(_), _) | (_, View::Ref(_)) => {
            let (a, b) = (a.copy_deref(), b.copy_deref());
            return cx.loose_equals(&a, &b);
        }
        _ => return cx.loose_equals(a, b),
    })
}

/// `==` of a builtin that goes on with the other elements when one has thrown, and ends with [`Cx::unless_thrown`]: what throws is not
/// equal, and objects are not asked for their text any more.
#[inline]
pub fn equals_despite(cx: &mut Cx, a: &Value, b: &Value) -> Res<bool> {
    let plain = |value: &Value| matches!(value.view(), View::Int(_) | View::Str(_));
    if plain(a) && plain(b) {
        return loose_equals(cx, a, b);
    }
    object_equals_despite(cx, a, b)
}

#[inline(never)]
fn object_equals_despite(cx: &mut Cx, a: &Value, b: &Value) -> Res<bool> {
    let is_asked = |object: &Value, text: &Value| {
        text.deref().as_str().is_some() && object.deref().as_object().is_some_and(|o| jumbo_abi::ClassPtr::of(o).magic.to_string.is_some())
    };
    if cx.exception.is_some() && (is_asked(a, b) || is_asked(b, a)) {
        return Ok(false);
    }
    Ok(jumbo_abi::despite(loose_equals(cx, a, b))?.unwrap_or(false))
}

/// Sets an element under a key of another array; int keys are numbered anew unless `keep_keys`.
pub fn put(array: &mut PArray, key: KeyRef<'_>, value: Value, keep_keys: bool) {
    match key {
        KeyRef::Str(s) => array.set_str(s, value),
        KeyRef::Int(i) if keep_keys => array.set_int(i, value),
        KeyRef::Int(_) => array.append(value),
    }
}

/// Elements from the `skip`th on. Quick for arrays without holes, whose positions are the numbers of their elements.
pub fn from_nth(array: &PArray, skip: usize) -> impl Iterator<Item = (KeyRef<'_>, &Value)> {
    let without_holes = array.last().is_none_or(|last| last as usize + 1 == array.len());
    let mut at = if without_holes {
        u32::try_from(skip).ok().and_then(|at| array.seek(at))
    } else {
        let mut at = array.first();
        for _ in 0..skip {
            at = at.and_then(|at| array.next(at));
        }
        at
    };
    std::iter::from_fn(move || {
        let here = at?;
        at = array.next(here);
        array.at(here)
    })
}

/// Where a slice starts and how long it is: offsets from the end are negative, a negative length leaves that many out.
pub fn slice_bounds(len: usize, offset: i64, length: Option<i64>) -> Option<(usize, usize)> {
    let len = i64::try_from(len).unwrap_or(i64::MAX);
    let start = if offset > len {
        return None;
    } else if offset < 0 {
        len.saturating_add(offset).max(0)
    } else {
        offset
    };
    let rest = len - start;
    let count = match length {
        None => rest,
        Some(l) if l < 0 => rest.saturating_add(l).max(0),
        Some(l) => l.min(rest),
    };
    Some((start as usize, count as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_cut_at_the_ends() {
        assert_eq!(slice_bounds(3, -2, Some(1)), Some((1, 1)));
        assert_eq!(slice_bounds(3, 5, None), None);
        assert_eq!(slice_bounds(3, i64::MIN, Some(i64::MIN)), Some((0, 0)));
        assert_eq!(slice_bounds(3, 1, Some(i64::MAX)), Some((1, 2)));
    }
}
