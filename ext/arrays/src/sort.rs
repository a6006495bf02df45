//! Sorting: sort, asort, ksort, their reversed and user-defined kin, natural order, array_multisort.
//!
//! A copy is sorted and assigned at the end: a callback or a conversion that looks at the array sees it as it was. Without a callback it
//! is not assigned when a conversion has put something else into the variable.

use crate::order::{self, By, Item, Order, UserOrder};
use crate::util;
use jumbo_abi::{Callable, Cx, KeyRef, PArray, PRef, Res, Value, View};
use jumbo_value::HeapCharge;

fn list(items: Vec<Item>) -> PArray {
    PArray::from_values(items.into_iter().map(|item| item.value))
}

fn with_keys(items: Vec<Item>) -> PArray {
    let mut array = PArray::with_hash_capacity(items.len());
    for item in items {
        array.set(item.key, item.value);
    }
    array
}

/// Sorts the array in the reference; `keep_keys` false: the result is a list.
fn sort_in(cx: &mut Cx, array: &PRef, by: By, keep_keys: bool, order: Order, descending: bool) -> Res<bool> {
    let old = util::array_in(cx, array, 1)?;
    if old.is_empty() {
        return Ok(true);
    }
    let next_free = old.next_free_index();
    let mut items = order::items(&old);
    let result = order::sort_items(cx, &mut items, by, order, descending);
    let is_there = is_there(array, &old);
    drop(old);
    if is_there {
        let sorted = if keep_keys { keep_next_free(with_keys(items), next_free) } else { list(items) };
        put_sorted(array, sorted);
    }
    result?;
    cx.unless_thrown(true)
}

/// Is the array that has been sorted still in its place? PHP sorts in place: what a conversion has put there instead stays.
fn is_there(place: &PRef, sorted: &PArray) -> bool {
    place.get().as_array().is_some_and(|now| now.same(sorted))
}

/// Puts the sorted array in the place of the old one. A loop by reference over that keeps its number of steps.
fn put_sorted(place: &PRef, sorted: PArray) {
    if let Some(old) = place.get().as_array() {
        old.replaced_by(&sorted, |behind| behind);
    }
    place.set(Value::from(sorted));
}

/// An array that keeps its keys keeps the key that `[]` uses, too.
fn keep_next_free(mut array: PArray, next_free: Option<i64>) -> PArray {
    if let Some(next) = next_free
        && array.next_free_index().is_some_and(|n| n < next)
    {
        array.set_next_free_index(next);
    }
    array
}

pub fn sort(cx: &mut Cx, array: &PRef, flags: i64) -> Res<bool> {
    sort_in(cx, array, By::Value, false, Order::from_flags(flags), false)
}

pub fn rsort(cx: &mut Cx, array: &PRef, flags: i64) -> Res<bool> {
    sort_in(cx, array, By::Value, false, Order::from_flags(flags), true)
}

pub fn asort(cx: &mut Cx, array: &PRef, flags: i64) -> Res<bool> {
    sort_in(cx, array, By::Value, true, Order::from_flags(flags), false)
}

pub fn arsort(cx: &mut Cx, array: &PRef, flags: i64) -> Res<bool> {
    sort_in(cx, array, By::Value, true, Order::from_flags(flags), true)
}

pub fn ksort(cx: &mut Cx, array: &PRef, flags: i64) -> Res<bool> {
    sort_in(cx, array, By::Key, true, Order::from_flags(flags), false)
}

pub fn krsort(cx: &mut Cx, array: &PRef, flags: i64) -> Res<bool> {
    sort_in(cx, array, By::Key, true, Order::from_flags(flags), true)
}

pub fn natsort(cx: &mut Cx, array: &PRef) -> Res<bool> {
    sort_in(cx, array, By::Value, true, Order::Natural { fold_case: false }, false)
}

pub fn natcasesort(cx: &mut Cx, array: &PRef) -> Res<bool> {
    sort_in(cx, array, By::Value, true, Order::Natural { fold_case: true }, false)
}

fn user_sort(cx: &mut Cx, array: &PRef, by: By, keep_keys: bool, callback: &Callable) -> Res<bool> {
    let old = util::array_in(cx, array, 1)?;
    if old.is_empty() {
        return Ok(true);
    }
    let next_free = old.next_free_index();
    let mut items = order::items(&old);
    drop(old);
    let mut user = UserOrder::new(callback);
    let result = order::sort_by(
        cx,
        &mut items,
        |item| item.place,
        |cx, a, b| match by {
            By::Value => user.compare(cx, a.value.clone(), b.value.clone()),
            By::Key => user.compare(cx, a.key.to_value(), b.key.to_value()),
        },
    );
    let sorted = if keep_keys { keep_next_free(with_keys(items), next_free) } else { list(items) };
    put_sorted(array, sorted);
    result?;
    cx.unless_thrown(true)
}

pub fn usort(cx: &mut Cx, array: &PRef, callback: &Callable) -> Res<bool> {
    user_sort(cx, array, By::Value, false, callback)
}

pub fn uasort(cx: &mut Cx, array: &PRef, callback: &Callable) -> Res<bool> {
    user_sort(cx, array, By::Value, true, callback)
}

pub fn uksort(cx: &mut Cx, array: &PRef, callback: &Callable) -> Res<bool> {
    user_sort(cx, array, By::Key, true, callback)
}

const SORT_ASC: i64 = 4;
const SORT_DESC: i64 = 3;

/// One array of array_multisort with its order.
struct Column {
    /// Number of the argument, from 0.
    argument: usize,
    array: PArray,
    order: Order,
    descending: bool,
}

pub fn array_multisort(cx: &mut Cx, array: &Value, rest: &[Value]) -> Res<bool> {
    let arguments: Vec<&Value> = std::iter::once(array).chain(rest).collect();
    let columns = read_columns(cx, &arguments)?;
    let Some(len) = columns.first().map(|c| c.array.len()) else { return Ok(true) };
    if columns.iter().any(|c| c.array.len() != len) {
        return Err(cx.value_error("Array sizes are inconsistent"));
    }
    if len == 0 {
        return Ok(true);
    }
    // Values and keys of each column, and the rows.
    let _charge = HeapCharge::new(len.saturating_mul((columns.len() + 1) * size_of::<Value>() + size_of::<usize>()))?;
    let values: Vec<Vec<Value>> = columns.iter().map(|c| c.array.values().map(util::element).collect()).collect();
    let mut rows: Vec<usize> = (0..len).collect();
    let sorted = order::sort_by(
        cx,
        &mut rows,
        |row| *row,
        |cx, &a, &b| {
            for (column, values) in columns.iter().zip(&values) {
                let order = column.order.compare(cx, &values[a], &values[b])?;
                if order != 0 {
                    return Ok(if column.descending { -order } else { order });
                }
            }
            Ok(0)
        },
    );
    // After an exception the arrays stay as they were.
    sorted?;
    cx.unless_thrown(())?;
    for (column, values) in columns.iter().zip(&values) {
        let Some(place) = arguments.get(column.argument).and_then(|v| v.as_ref()) else { continue };
        if !is_there(place, &column.array) {
            continue;
        }
        let keys: Vec<KeyRef<'_>> = column.array.keys().collect();
        let mut new = PArray::with_capacity(len);
        for &row in &rows {
            // String keys go with their values, int keys are numbered anew.
            util::put(&mut new, keys[row], values[row].clone(), false);
        }
        put_sorted(place, new);
    }
    Ok(true)
}

/// Takes the arguments apart: arrays, each followed by at most one direction and one kind of comparison.
fn read_columns(cx: &mut Cx, arguments: &[&Value]) -> Res<Vec<Column>> {
    const NOT_AGAIN: &str = "must be an array or a sort flag that has not already been specified";
    let mut columns: Vec<Column> = Vec::new();
    let (mut takes_direction, mut takes_kind) = (false, false);
    for (n, value) in arguments.iter().enumerate() {
        let number = n as u32 + 1;
        match value.view_deref() {
            View::Array(array) => {
                columns.push(Column { argument: n, array: array.clone(), order: Order::Regular, descending: false });
                (takes_direction, takes_kind) = (true, true);
            }
            View::Int(flag) => {
                let Some(column) = columns.last_mut() else {
                    return Err(match flag & !8 {
                        0..=6 => cx.arg_type_error(number, NOT_AGAIN),
                        _ => cx.arg_value_error(number, "must be a valid sort flag"),
                    });
                };
                match flag & !8 {
                    SORT_ASC | SORT_DESC => {
                        if !takes_direction {
                            return Err(cx.arg_type_error(number, NOT_AGAIN));
                        }
                        column.descending = flag & !8 == SORT_DESC;
                        takes_direction = false;
                    }
                    0 | 1 | 2 | 5 | 6 => {
                        if !takes_kind {
                            return Err(cx.arg_type_error(number, NOT_AGAIN));
                        }
                        column.order = Order::from_flags(flag);
                        takes_kind = false;
                    }
                    _ => return Err(cx.arg_value_error(number, "must be a valid sort flag")),
                }
            }
            _ => return Err(cx.arg_type_error(number, "must be an array or a sort flag")),
        }
    }
    Ok(columns)
}
