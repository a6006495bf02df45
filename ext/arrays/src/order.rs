//! The orders of the sort functions: what flags mean, and how elements compare.

use crate::hybrid;
use crate::util::{compare, order_number, text};
use jumbo_abi::{Callable, ClassPtr, Cx, Key, PArray, PStr, Res, Stop, Value, View, despite};
use jumbo_ext_strings::pure::compare::natural;
use jumbo_value::compare::compare_strings_smart;
use jumbo_value::convert::{to_float, to_int};
use std::cmp::Ordering;

/// How two values compare.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Regular,
    Numeric,
    Text { fold_case: bool },
    Natural { fold_case: bool },
}

const FLAG_CASE: i64 = 8;

impl Order {
    /// Of `SORT_…` flags; unknown ones mean the regular order. SORT_LOCALE_STRING is the order of bytes: the locale is "C".
    pub fn from_flags(flags: i64) -> Order {
        let fold_case = flags & FLAG_CASE != 0;
        match flags & !FLAG_CASE {
            1 => Order::Numeric,
            2 => Order::Text { fold_case },
            5 => Order::Text { fold_case: false },
            6 => Order::Natural { fold_case },
            _ => Order::Regular,
        }
    }

    /// Comparisons go on in spite of an exception (see [`Cx::text_despite`]).
    pub fn compare(self, cx: &mut Cx, a: &Value, b: &Value) -> Res<i32> {
        Ok(match self {
            Order::Regular => return compare_regular(cx, a, b),
            Order::Numeric => {
                let (x, y) = (number(cx, a)?, number(cx, b)?);
                (x > y) as i32 - (x < y) as i32
            }
            Order::Text { fold_case } => {
                let (x, y) = (text(cx, a)?, text(cx, b)?);
                order_number(compare_text(&x, &y, fold_case))
            }
            Order::Natural { fold_case } => {
                let (x, y) = (text(cx, a)?, text(cx, b)?);
                order_number(natural(x.as_bytes(), y.as_bytes(), fold_case))
            }
        })
    }
}

/// `(float)`, in spite of an exception.
fn number(cx: &mut Cx, value: &Value) -> Res<f64> {
    Ok(despite(cx.to_float(value))?.unwrap_or(1.0))
}

fn compare_regular(cx: &mut Cx, a: &Value, b: &Value) -> Res<i32> {
    // Enum cases have no order; sorting puts equal ones together.
    if let (View::Object(x), View::Object(y)) = (a.view_deref(), b.view_deref())
        && ClassPtr::of(x).is_enum()
        && ClassPtr::of(y).is_enum()
    {
        return Ok(order_number(x.id().cmp(&y.id())));
    }
    if !a.deref().is_object() && !b.deref().is_object() {
        return compare(cx, a, b);
    }
    // An object that cannot be asked for its text, or throws when it is, is greater than a string.
    let asked = |object: &Value, text: &Value| {
        text.deref().as_str().is_some() && object.deref().as_object().is_some_and(|o| ClassPtr::of(o).magic.to_string.is_some())
    };
    let failed = if asked(a, b) { Some(1) } else if asked(b, a) { Some(-1) } else { None };
    match failed {
        Some(order) if cx.exception.is_some() => Ok(order),
        Some(order) => Ok(despite(compare(cx, a, b))?.unwrap_or(order)),
        None => compare(cx, a, b),
    }
}

fn compare_text(a: &PStr, b: &PStr, fold_case: bool) -> Ordering {
    if !fold_case {
        return a.as_bytes().cmp(b.as_bytes());
    }
    let (a, b) = (a.as_bytes().iter(), b.as_bytes().iter());
    a.map(u8::to_ascii_lowercase).cmp(b.map(u8::to_ascii_lowercase))
}

/// One element on its way through a sort.
pub struct Item {
    pub key: Key,
    pub value: Value,
    /// Its place before: equal elements keep their order.
    pub place: usize,
}

pub fn items(array: &PArray) -> Vec<Item> {
    array
        .iter()
        .enumerate()
        .map(|(place, (key, value))| Item { key: key.to_key(), value: crate::util::element(value), place })
        .collect()
}

/// Sorts by a comparison that may run PHP code; between two of them the core may be given up and a time limit is noticed. One that throws
/// is a tie, and the others are made nevertheless, as in PHP: the exception waits for [`Cx::unless_thrown`].
pub fn sort_by<T>(
    cx: &mut Cx,
    items: &mut [T],
    place: fn(&T) -> usize,
    mut compare: impl FnMut(&mut Cx, &T, &T) -> Res<i32>,
) -> Res<()> {
    let mut stopped: Option<Stop> = None;
    hybrid::sort(items, &mut |a, b| {
        let order = if stopped.is_some() {
            0
        } else {
            let checked = if cx.exception.is_some() { Ok(()) } else { cx.check() };
            checked.and_then(|()| compare(cx, a, b)).unwrap_or_else(|stop| {
                stopped = Some(stop).filter(|stop| *stop != Stop::Thrown);
                0
            })
        };
        if order == 0 { place(a) > place(b) } else { order > 0 }
    });
    stopped.map_or(Ok(()), Err)
}

/// What an element is sorted by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    Value,
    Key,
}

/// Sorts elements by value or key; as [`sort_by`].
pub fn sort_items(cx: &mut Cx, items: &mut [Item], by: By, order: Order, descending: bool) -> Res<()> {
    if sort_plain(cx, items, by, order, descending)? {
        return Ok(());
    }
    sort_by(
        cx,
        items,
        |item| item.place,
        |cx, a, b| {
            let order = match by {
                By::Value => order.compare(cx, &a.value, &b.value),
                By::Key => compare_keys(cx, order, &a.key, &b.key),
            }?;
            // The answer is turned round, not the question: values without an order answer the same both ways.
            Ok(if descending { -order } else { order })
        },
    )
}

fn compare_keys(cx: &mut Cx, order: Order, a: &Key, b: &Key) -> Res<i32> {
    match (order, a, b) {
        (Order::Regular | Order::Numeric, Key::Int(x), Key::Int(y)) => Ok(order_number(x.cmp(y))),
        (Order::Regular, Key::Str(x), Key::Str(y)) => Ok(order_number(compare_strings_smart(x.as_bytes(), y.as_bytes()))),
        _ => order.compare(cx, &a.to_value(), &b.to_value()),
    }
}

/// Elements that are sorted between two checks.
const PIECE: usize = 16 << 10;

/// Sorts where the order is total and needs no PHP code, so that any stable algorithm gives the same result.
/// False: it is not.
fn sort_plain(cx: &mut Cx, items: &mut [Item], by: By, order: Order, descending: bool) -> Res<bool> {
    if items.len() <= 16 && order == Order::Regular {
        // Comparing is as quick as looking whether it can be done better.
        return Ok(false);
    }
    fn directed(descending: bool, order: Ordering) -> Ordering {
        if descending { order.reverse() } else { order }
    }
    /// Sorts by a copy of what is compared.
    fn by_cached<K: Clone>(
        cx: &mut Cx,
        items: &mut [Item],
        of: impl Fn(&Item) -> Option<K>,
        mut compare: impl FnMut(&K, &K) -> Ordering,
    ) -> Res<bool> {
        let mut keyed = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            match of(item) {
                Some(key) => keyed.push((key, at)),
                None => return Ok(false),
            }
        }
        // Pieces first, then twice as long ones, for which the sort finds two sorted halves to merge: no step is long.
        let mut width = PIECE;
        loop {
            for piece in keyed.chunks_mut(width) {
                piece.sort_by(|a, b| compare(&a.0, &b.0));
                cx.check()?;
            }
            if width >= keyed.len() {
                break;
            }
            width *= 2;
        }
        let places: Vec<usize> = keyed.iter().map(|(_, at)| *at).collect();
        permute(items, places);
        Ok(true)
    }
    let value_of = |item: &Item| match by {
        By::Value => item.value.copy_deref(),
        By::Key => item.key.to_value(),
    };
    match order {
        Order::Regular => {
            let int = |item: &Item| value_of(item).as_int();
            let float = |item: &Item| value_of(item).as_float().filter(|f| !f.is_nan());
            // Strings that do not start like a number compare byte by byte.
            let word = |item: &Item| {
                value_of(item).as_str().filter(|s| s.as_bytes().first().is_some_and(|b| *b > b'9')).cloned()
            };
            Ok(by_cached(cx, items, int, |a, b| directed(descending, a.cmp(b)))?
                || by_cached(cx, items, float, |a, b| directed(descending, a.partial_cmp(b).unwrap_or(Ordering::Equal)))?
                || by_cached(cx, items, word, |a, b| directed(descending, a.as_bytes().cmp(b.as_bytes())))?)
        }
        Order::Numeric => {
            let number = |item: &Item| {
                let value = value_of(item);
                let plain = matches!(value.view(), View::Int(_) | View::Float(_) | View::Str(_) | View::Bool(_) | View::Null);
                plain.then(|| to_float(&value)).filter(|f| !f.is_nan())
            };
            by_cached(cx, items, number, |a, b| directed(descending, a.partial_cmp(b).unwrap_or(Ordering::Equal)))
        }
        Order::Text { fold_case } => {
            let plain_text = |item: &Item| {
                let value = value_of(item);
                match value.view() {
                    View::Str(s) if fold_case => Some(PStr::new(&s.as_bytes().to_ascii_lowercase())),
                    View::Str(s) => Some(s.clone()),
                    View::Int(i) => Some(jumbo_value::convert::int_to_string(i)),
                    _ => None,
                }
            };
            by_cached(cx, items, plain_text, |a, b| directed(descending, a.as_bytes().cmp(b.as_bytes())))
        }
        Order::Natural { .. } => Ok(false),
    }
}

/// Puts the element that stood at `places[n]` to place `n`.
fn permute<T>(items: &mut [T], mut places: Vec<usize>) {
    for start in 0..items.len() {
        let mut at = start;
        while places[at] != start {
            let from = places[at];
            items.swap(at, from);
            places[at] = at;
            at = from;
        }
        places[at] = at;
    }
}

/// A comparison function of the program.
pub struct UserOrder<'a> {
    callback: &'a Callable,
    /// The deprecation of boolean answers is raised once a sort.
    booleans_reported: bool,
}

impl<'a> UserOrder<'a> {
    pub fn new(callback: &'a Callable) -> UserOrder<'a> {
        UserOrder { callback, booleans_reported: false }
    }

    /// No PHP code runs while an exception is on its way: then it is a tie.
    pub fn compare(&mut self, cx: &mut Cx, a: Value, b: Value) -> Res<i32> {
        if cx.exception.is_some() {
            return Ok(0);
        }
        let answer = cx.call(self.callback, &[a.clone(), b.clone()])?.into_deref();
        if let Some(greater) = answer.as_bool() {
            if !self.booleans_reported {
                self.booleans_reported = true;
                cx.deprecated(
                    "Returning bool from comparison function is deprecated, return an integer less than, equal to, or greater than zero",
                )?;
            }
            if !greater {
                // "Not greater" may be less or equal: asking the other way round tells.
                let swapped = cx.call(self.callback, &[b, a])?.into_deref();
                return Ok(-(answered(cx, &swapped)?.signum() as i32));
            }
        }
        Ok(answered(cx, &answer)?.signum() as i32)
    }
}

/// The answer of a callback as an int.
fn answered(cx: &mut Cx, answer: &Value) -> Res<i64> {
    if answer.is_object() { cx.to_int(answer) } else { Ok(to_int(answer)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutes_in_place() {
        let mut items = ['a', 'b', 'c', 'd', 'e'];
        permute(&mut items, vec![3, 0, 4, 1, 2]);
        assert_eq!(items, ['d', 'a', 'e', 'b', 'c']);
    }
}
