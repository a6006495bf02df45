//! Adding and taking elements in place: ends of the array, and array_splice.

use crate::util;
use jumbo_abi::desc::Purpose;
use jumbo_abi::{Cx, PArray, PRef, Res, Value, View};

pub fn array_push(cx: &mut Cx, array: &PRef, values: &[Value]) -> Res<i64> {
    let pushed = util::update_array(array, |array| {
        for value in values {
            if array.push(value.copy_deref()).is_err() {
                return Err(());
            }
        }
        Ok(array.len() as i64)
    });
    match pushed {
        Some(Ok(n)) => Ok(n),
        Some(Err(())) => Err(util::next_element_occupied(cx)),
        None => Err(util::not_an_array(cx, &array.get(), 1)),
    }
}

pub fn array_pop(cx: &mut Cx, array: &PRef) -> Res<Value> {
    match util::update_array(array, PArray::pop) {
        Some(value) => Ok(value.map_or(Value::NULL, Value::into_deref)),
        None => Err(util::not_an_array(cx, &array.get(), 1)),
    }
}

pub fn array_shift(cx: &mut Cx, array: &PRef) -> Res<Value> {
    match util::update_array(array, PArray::shift) {
        Some(value) => Ok(value.map_or(Value::NULL, Value::into_deref)),
        None => Err(util::not_an_array(cx, &array.get(), 1)),
    }
}

pub fn array_unshift(cx: &mut Cx, array: &PRef, values: &[Value]) -> Res<i64> {
    let old = util::array_in(cx, array, 1)?;
    let mut new = PArray::with_capacity(old.len() + values.len());
    for value in values {
        new.append(value.copy_deref());
    }
    for (key, value) in &old {
        util::put(&mut new, key, value.clone(), false);
    }
    let n = new.len() as i64;
    old.replaced_by(&new, |behind| behind + values.len() as u32);
    drop(old);
    array.set(Value::from(new));
    Ok(n)
}

/// What replaces the elements: an array as it is, an object's properties, any other value as one element.
fn replacement_array(cx: &mut Cx, replacement: &Value) -> Res<PArray> {
    Ok(match replacement.view_deref() {
        View::Array(array) => array.clone(),
        View::Null | View::Undef => PArray::new(),
        // A closure has no properties: it is a value.
        View::Object(object) if cx.engine().closure_info(object).is_none() => {
            let object = object.clone();
            cx.properties(&object, Purpose::ArrayCast)?
        }
        _ => PArray::from_values([replacement.copy_deref()]),
    })
}

pub fn array_splice(cx: &mut Cx, array: &PRef, offset: i64, length: Option<i64>, replacement: &Value) -> Res<PArray> {
    let inserted = replacement_array(cx, replacement)?;
    let old = util::array_in(cx, array, 1)?;
    // An offset past the end means the end.
    let offset = offset.min(old.len() as i64);
    let (start, count) = util::slice_bounds(old.len(), offset, length).unwrap_or((old.len(), 0));
    let mut removed = PArray::with_capacity(count);
    let mut new = PArray::with_capacity(old.len() - count + inserted.len());
    for (n, (key, value)) in old.iter().enumerate() {
        if n == start {
            insert(&mut new, &inserted);
        }
        if n >= start && n - start < count {
            util::put(&mut removed, key, value.clone(), false);
        } else {
            util::put(&mut new, key, value.clone(), false);
        }
    }
    if start >= old.len() {
        insert(&mut new, &inserted);
    }
    let (start, count, inserted, end) = (start as u32, count as u32, inserted.len() as u32, old.len() as u32);
    old.replaced_by(&new, |behind| after_splice(behind, start, count, inserted, end));
    drop(old);
    array.set(Value::from(new));
    Ok(removed)
}

/// How many elements a loop by reference has behind it after array_splice, of `end` elements before. It goes on behind what came for what
/// has gone; but PHP moves a loop that it meets again further on once more, and cuts places off with the end of the array.
fn after_splice(behind: u32, start: u32, removed: u32, inserted: u32, end: u32) -> u32 {
    if behind < start {
        return behind;
    }
    if removed > 0 && start + removed == end {
        return if removed == 1 && behind == start { (start + inserted).min(end) } else { start };
    }
    if behind >= end {
        return behind;
    }
    let moved = |behind: u32| inserted + behind.max(start + removed) - removed;
    let mut behind = if behind < start + removed { start + inserted } else { moved(behind) };
    while inserted > removed && behind >= start + removed && behind < end {
        behind = moved(behind);
    }
    behind
}

fn insert(array: &mut PArray, values: &PArray) {
    for value in values.values() {
        array.append(util::element(value));
    }
}
