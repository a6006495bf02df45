//! Differences, intersections, and array_unique.
//!
//! Where values compare as texts or keys as keys, what the other arrays hold is looked up. Where a callback of the program
//! decides, the arrays are sorted by it and walked side by side, as PHP does: callbacks that are no order (such as
//! `fn($a, $b) => $a === $b ? 0 : 1`) are common, and their results depend on which pairs they are asked for.

use crate::order::{self, Item, Order, UserOrder};
use crate::util::{self, text};
use jumbo_abi::{Callable, Cx, PArray, Res, Value};
use jumbo_value::HeapCharge;
use std::cmp::Ordering;

/// The arrays of a variadic list that starts with argument 2.
fn array_arguments(cx: &mut Cx, values: &[Value]) -> Res<Vec<PArray>> {
    let mut arrays = Vec::with_capacity(values.len());
    for (n, value) in values.iter().enumerate() {
        arrays.push(util::array_argument(cx, value, n as u32 + 2)?.clone());
    }
    Ok(arrays)
}

/// The other arrays, still to be checked, and the `callbacks` last arguments, of a list that starts with argument 2.
fn arrays_and_callbacks<'a>(cx: &mut Cx, rest: &'a [Value], callbacks: usize) -> Res<(&'a [Value], Vec<Callable>)> {
    let Some(split) = rest.len().checked_sub(callbacks) else {
        let name = String::from_utf8_lossy(&cx.active_function_name()).into_owned();
        let given = rest.len() + 1;
        let message = format!("{name}() expects at least {} arguments, {given} given", callbacks + 1);
        return Err(cx.throw("ArgumentCountError", message));
    };
    let (arrays, functions) = rest.split_at(split);
    let mut callables = Vec::with_capacity(callbacks);
    for (n, value) in functions.iter().enumerate() {
        match cx.resolve_callable(&value.copy_deref())? {
            Ok(callable) => callables.push(callable),
            Err(why) => {
                let n = (split + n) as u32 + 2;
                return Err(cx.arg_type_error(n, [b"must be a valid callback, ".as_slice(), &why]));
            }
        }
    }
    Ok((arrays, callables))
}

/// The first array, the others, still to be checked, and the `callbacks` last arguments, looked at in PHP's order.
fn checked<'a>(cx: &mut Cx, array: &'a Value, rest: &'a [Value], callbacks: usize) -> Res<(&'a PArray, &'a [Value], Vec<Callable>)> {
    let (others, callbacks) = arrays_and_callbacks(cx, rest, callbacks)?;
    Ok((util::array_argument(cx, array, 1)?, others, callbacks))
}

/// The texts of an array's values, as keys.
fn texts(cx: &mut Cx, array: &PArray, set: &mut PArray) -> Res<()> {
    for value in array.values() {
        set.set_str(&text(cx, value)?, Value::TRUE);
    }
    Ok(())
}

fn has_no_plain_text(array: &PArray) -> bool {
    array.values().any(|v| v.deref().is_array() || v.deref().is_object())
}

fn same_text(cx: &mut Cx, a: &Value, b: &Value) -> Res<bool> {
    Ok(text(cx, a)? == text(cx, b)?)
}

// ---- by values

pub fn array_diff(cx: &mut Cx, array: &PArray, arrays: &[Value]) -> Res<PArray> {
    if array.len() == 1
        && let Some(value) = array.values().next()
    {
        // One element: it is converted, whatever there is to compare it with, and looked for until it is found.
        let word = text(cx, value)?;
        let mut found = false;
        for (n, other) in arrays.iter().enumerate() {
            let other = util::array_argument(cx, other, n as u32 + 2)?.clone();
            let mut candidates = other.values();
            while !found && let Some(candidate) = candidates.next() {
                found = text(cx, candidate)? == word;
            }
        }
        return cx.unless_thrown(if found { PArray::new() } else { array.clone() });
    }
    let others = array_arguments(cx, arrays)?;
    if array.is_empty() {
        return Ok(PArray::new());
    }
    let mut excluded = PArray::new();
    for other in &others {
        texts(cx, other, &mut excluded)?;
    }
    if excluded.is_empty() {
        return cx.unless_thrown(array.clone());
    }
    let mut result = PArray::new();
    for (key, value) in array {
        if excluded.get_str(&text(cx, value)?).is_none() {
            util::put(&mut result, key, util::element(value), true);
        }
    }
    cx.unless_thrown(result)
}

pub fn array_intersect(cx: &mut Cx, array: &PArray, arrays: &[Value]) -> Res<PArray> {
    let is_plain = |value: &Value| value.deref().as_array().is_some_and(|array| !has_no_plain_text(array));
    if has_no_plain_text(array) || !arrays.iter().all(is_plain) {
        // Conversions warn or run PHP code: as often and in the order of PHP's own algorithm.
        let mut compare = |cx: &mut Cx, a: &Item, b: &Item| Order::Text { fold_case: false }.compare(cx, &a.value, &b.value);
        return intersection(cx, array, arrays, &mut compare);
    }
    let others = array_arguments(cx, arrays)?;
    let mut sets = Vec::with_capacity(others.len());
    for other in &others {
        let mut set = PArray::new();
        texts(cx, other, &mut set)?;
        sets.push(set);
    }
    let mut result = PArray::new();
    for (key, value) in array {
        let word = text(cx, value)?;
        if sets.iter().all(|set| set.get_str(&word).is_some()) {
            util::put(&mut result, key, util::element(value), true);
        }
    }
    Ok(result)
}

// ---- by keys, which are looked up

/// Elements of `array` whose key, and value if `same` is asked, stands in none (`Difference`) or all of the others.
fn by_keys(
    cx: &mut Cx,
    array: &PArray,
    others: &[PArray],
    kind: Kind,
    mut same: impl FnMut(&mut Cx, &Value, &Value) -> Res<bool>,
) -> Res<PArray> {
    let mut result = PArray::new();
    for (key, value) in array {
        let mut keep = true;
        for other in others {
            let found = match other.get_ref(key) {
                Some(counterpart) => same(cx, value, counterpart)?,
                None => false,
            };
            if found == (kind == Kind::Difference) {
                keep = false;
                break;
            }
        }
        if keep {
            util::put(&mut result, key, util::element(value), true);
        }
    }
    cx.unless_thrown(result)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Difference,
    Intersection,
}

pub fn array_diff_key(cx: &mut Cx, array: &PArray, arrays: &[Value]) -> Res<PArray> {
    let others = array_arguments(cx, arrays)?;
    by_keys(cx, array, &others, Kind::Difference, |_, _, _| Ok(true))
}

pub fn array_intersect_key(cx: &mut Cx, array: &PArray, arrays: &[Value]) -> Res<PArray> {
    let others = array_arguments(cx, arrays)?;
    by_keys(cx, array, &others, Kind::Intersection, |_, _, _| Ok(true))
}

pub fn array_diff_assoc(cx: &mut Cx, array: &PArray, arrays: &[Value]) -> Res<PArray> {
    let others = array_arguments(cx, arrays)?;
    by_keys(cx, array, &others, Kind::Difference, same_text)
}

pub fn array_intersect_assoc(cx: &mut Cx, array: &PArray, arrays: &[Value]) -> Res<PArray> {
    let others = array_arguments(cx, arrays)?;
    by_keys(cx, array, &others, Kind::Intersection, same_text)
}

fn by_keys_and_callback(cx: &mut Cx, array: &Value, rest: &[Value], kind: Kind) -> Res<PArray> {
    let (array, others, callbacks) = checked(cx, array, rest, 1)?;
    let others = array_arguments(cx, others)?;
    let [callback] = callbacks.as_slice() else { return Ok(array.clone()) };
    let mut user = UserOrder::new(callback);
    by_keys(cx, array, &others, kind, |cx, a, b| Ok(user.compare(cx, a.copy_deref(), b.copy_deref())? == 0))
}

pub fn array_udiff_assoc(cx: &mut Cx, array: &Value, rest: &[Value]) -> Res<PArray> {
    by_keys_and_callback(cx, array, rest, Kind::Difference)
}

pub fn array_uintersect_assoc(cx: &mut Cx, array: &Value, rest: &[Value]) -> Res<PArray> {
    by_keys_and_callback(cx, array, rest, Kind::Intersection)
}

// ---- by callbacks, on sorted arrays

/// Compares two elements.
type Compare<'a> = dyn FnMut(&mut Cx, &Item, &Item) -> Res<i32> + 'a;

/// The elements in the order of `compare`. Ties are left as they fall: stock compares no places here, which shows in the pairs that are
/// asked for.
fn sorted(cx: &mut Cx, array: &PArray, compare: &mut Compare<'_>) -> Res<Sorted> {
    let charge = HeapCharge::for_vec::<Item>(array.len())?;
    let mut items = order::items(array);
    order::sort_by(cx, &mut items, |_| 0, compare)?;
    Ok(Sorted { items, _charge: charge })
}

/// Sorted elements, which count against memory_limit as PHP's do.
struct Sorted {
    items: Vec<Item>,
    _charge: HeapCharge,
}

impl std::ops::Deref for Sorted {
    type Target = [Item];
    fn deref(&self) -> &[Item] {
        &self.items
    }
}

/// The elements of `array` whose places are not `removed`.
fn without(array: &PArray, removed: &[bool]) -> PArray {
    let mut result = PArray::new();
    for ((key, value), removed) in array.iter().zip(removed) {
        if !removed {
            util::put(&mut result, key, util::element(value), true);
        }
    }
    result
}

/// The elements of the other arrays in the order of `compare`, and where the walk stands in each. PHP looks at an argument's type
/// when those before it are sorted.
fn sorted_others(cx: &mut Cx, others: &[Value], compare: &mut Compare<'_>) -> Res<Vec<(Sorted, usize)>> {
    let mut lists = Vec::with_capacity(others.len());
    for (n, other) in others.iter().enumerate() {
        let other = util::array_argument(cx, other, n as u32 + 2)?.clone();
        lists.push((sorted(cx, &other, compare)?, 0usize));
    }
    Ok(lists)
}

/// array_udiff: what equals an element of another array goes. All arrays advance in sorted order.
fn difference(cx: &mut Cx, array: &PArray, others: &[Value], compare: &mut Compare<'_>) -> Res<PArray> {
    let first = sorted(cx, array, compare)?;
    let mut lists = sorted_others(cx, others, compare)?;
    let mut removed = vec![false; first.len()];
    let mut at = 0;
    while at < first.len() {
        let mut found = false;
        for (items, position) in &mut lists {
            let mut order = 1;
            while let Some(item) = items.get(*position) {
                order = compare(cx, &first[at], item)?;
                if order <= 0 {
                    break;
                }
                *position += 1;
            }
            if order == 0 {
                if *position < items.len() {
                    *position += 1;
                }
                found = true;
                break;
            }
        }
        // Elements that equal this one share its fate.
        loop {
            removed[first[at].place] = found;
            at += 1;
            if at == first.len() || compare(cx, &first[at - 1], &first[at])? != 0 {
                break;
            }
        }
    }
    cx.unless_thrown(without(array, &removed))
}

/// array_uintersect: what equals an element of each other array stays.
fn intersection(cx: &mut Cx, array: &PArray, others: &[Value], compare: &mut Compare<'_>) -> Res<PArray> {
    let first = sorted(cx, array, compare)?;
    let mut lists = sorted_others(cx, others, compare)?;
    let mut removed = vec![false; first.len()];
    let mut at = 0;
    'elements: while at < first.len() {
        for list in 0..lists.len() {
            let (items, position) = &mut lists[list];
            let mut order = 1;
            while let Some(item) = items.get(*position) {
                order = compare(cx, &first[at], item)?;
                if order <= 0 {
                    break;
                }
                *position += 1;
            }
            if *position == items.len() {
                // Nothing more can be in all of them.
                for item in &first[at..] {
                    removed[item.place] = true;
                }
                break 'elements;
            }
            if order != 0 {
                // All that is less than this list's element is missing from it.
                loop {
                    removed[first[at].place] = true;
                    at += 1;
                    if at == first.len() || compare(cx, &first[at], &items[*position])? >= 0 {
                        continue 'elements;
                    }
                }
            }
            *position += 1;
        }
        // In all of them, and so are those that equal it.
        loop {
            at += 1;
            if at == first.len() || compare(cx, &first[at - 1], &first[at])? != 0 {
                break;
            }
        }
    }
    cx.unless_thrown(without(array, &removed))
}

pub fn array_udiff(cx: &mut Cx, array: &Value, rest: &[Value]) -> Res<PArray> {
    by_values_callback(cx, array, rest, Kind::Difference)
}

pub fn array_uintersect(cx: &mut Cx, array: &Value, rest: &[Value]) -> Res<PArray> {
    by_values_callback(cx, array, rest, Kind::Intersection)
}

fn by_values_callback(cx: &mut Cx, array: &Value, rest: &[Value], kind: Kind) -> Res<PArray> {
    let (array, others, callbacks) = checked(cx, array, rest, 1)?;
    let [callback] = callbacks.as_slice() else { return Ok(array.clone()) };
    let mut user = UserOrder::new(callback);
    let mut compare = |cx: &mut Cx, a: &Item, b: &Item| user.compare(cx, a.value.copy_deref(), b.value.copy_deref());
    match kind {
        Kind::Difference => difference(cx, array, others, &mut compare),
        Kind::Intersection => intersection(cx, array, others, &mut compare),
    }
}

/// How values are compared where a callback compares the keys.
enum Values<'a> {
    Ignored,
    AsText,
    ByCallback(UserOrder<'a>),
}

impl Values<'_> {
    fn same(&mut self, cx: &mut Cx, a: &Value, b: &Value) -> Res<bool> {
        match self {
            Values::Ignored => Ok(true),
            Values::AsText => same_text(cx, a, b),
            Values::ByCallback(user) => Ok(user.compare(cx, a.copy_deref(), b.copy_deref())? == 0),
        }
    }
}

/// The functions with a callback for keys: all arrays are sorted by it; a difference looks for each element in all of each other array,
/// an intersection goes on where it stands.
fn by_key_callback(cx: &mut Cx, array: &PArray, others: &[Value], kind: Kind, callback: &Callable, mut values: Values<'_>) -> Res<PArray> {
    let mut user = UserOrder::new(callback);
    let mut compare = |cx: &mut Cx, a: &Item, b: &Item| user.compare(cx, a.key.to_value(), b.key.to_value());
    let first = sorted(cx, array, &mut compare)?;
    let mut lists = sorted_others(cx, others, &mut compare)?;
    let mut removed = vec![false; array.len()];
    'elements: for (n, element) in first.iter().enumerate() {
        let mut asked = false;
        for (items, position) in &mut lists {
            let mut at = if kind == Kind::Difference { 0 } else { *position };
            let mut found = false;
            while let Some(item) = items.get(at) {
                let order = match &mut values {
                    // What PHP does: keys are compared by the callback for values when that one was the last to be asked for this element.
                    Values::ByCallback(by_value) if asked && kind == Kind::Intersection => by_value.compare(cx, element.key.to_value(), item.key.to_value())?,
                    _ => compare(cx, element, item)?,
                };
                if order == 0 || order < 0 && kind == Kind::Intersection {
                    if order == 0 {
                        found = values.same(cx, &element.value, &item.value)?;
                        asked = true;
                    }
                    break;
                }
                at += 1;
            }
            *position = at;
            match kind {
                Kind::Difference if found => {
                    removed[element.place] = true;
                    continue 'elements;
                }
                Kind::Intersection if at == items.len() => {
                    // Nothing more can be in all of them.
                    for item in &first[n..] {
                        removed[item.place] = true;
                    }
                    break 'elements;
                }
                Kind::Intersection if !found => {
                    removed[element.place] = true;
                    continue 'elements;
                }
                Kind::Intersection => *position += 1,
                Kind::Difference => {}
            }
        }
    }
    cx.unless_thrown(without(array, &removed))
}

fn with_key_callback(cx: &mut Cx, array: &Value, rest: &[Value], kind: Kind, as_text: bool) -> Res<PArray> {
    let (array, others, callbacks) = checked(cx, array, rest, 1)?;
    let [callback] = callbacks.as_slice() else { return Ok(array.clone()) };
    let values = if as_text { Values::AsText } else { Values::Ignored };
    by_key_callback(cx, array, others, kind, callback, values)
}

fn with_both_callbacks(cx: &mut Cx, array: &Value, rest: &[Value], kind: Kind) -> Res<PArray> {
    let (array, others, callbacks) = checked(cx, array, rest, 2)?;
    let [by_value, by_key] = callbacks.as_slice() else { return Ok(array.clone()) };
    by_key_callback(cx, array, others, kind, by_key, Values::ByCallback(UserOrder::new(by_value)))
}

pub fn array_diff_ukey(cx: &mut Cx, array: &Value, rest: &[Value]) -> Res<PArray> {
    with_key_callback(cx, array, rest, Kind::Difference, false)
}

pub fn array_intersect_ukey(cx: &mut Cx, array: &Value, rest: &[Value]) -> Res<PArray> {
    with_key_callback(cx, array, rest, Kind::Intersection, false)
}

pub fn array_diff_uassoc(cx: &mut Cx, array: &Value, rest: &[Value]) -> Res<PArray> {
    with_key_callback(cx, array, rest, Kind::Difference, true)
}

pub fn array_intersect_uassoc(cx: &mut Cx, array: &Value, rest: &[Value]) -> Res<PArray> {
    with_key_callback(cx, array, rest, Kind::Intersection, true)
}

pub fn array_udiff_uassoc(cx: &mut Cx, array: &Value, rest: &[Value]) -> Res<PArray> {
    with_both_callbacks(cx, array, rest, Kind::Difference)
}

pub fn array_uintersect_uassoc(cx: &mut Cx, array: &Value, rest: &[Value]) -> Res<PArray> {
    with_both_callbacks(cx, array, rest, Kind::Intersection)
}

// ---- array_unique

const SORT_STRING: i64 = 2;

pub fn array_unique(cx: &mut Cx, array: &PArray, flags: i64) -> Res<PArray> {
    if array.len() <= 1 {
        return Ok(array.clone());
    }
    if flags == SORT_STRING {
        let mut seen = PArray::new();
        let mut result = PArray::new();
        for (key, value) in array {
            let word = text(cx, value)?;
            if seen.get_str(&word).is_none() {
                seen.set_str(&word, Value::TRUE);
                util::put(&mut result, key, util::element(value), true);
            }
        }
        return cx.unless_thrown(result);
    }
    let order = Order::from_flags(flags);
    let items = sorted(cx, array, &mut |cx, a, b| order.compare(cx, &a.value, &b.value))?;
    cx.unless_thrown(())?;
    // Of neighbours that are equal the one that came first stays.
    let mut removed = vec![false; items.len()];
    let mut kept = 0;
    for at in 1..items.len() {
        if order.compare(cx, &items[kept].value, &items[at].value)? != 0 {
            kept = at;
            continue;
        }
        match items[kept].place.cmp(&items[at].place) {
            Ordering::Greater => {
                removed[items[kept].place] = true;
                kept = at;
            }
            _ => removed[items[at].place] = true,
        }
    }
    cx.unless_thrown(without(array, &removed))
}
