//! New arrays out of numbers, keys, or one other array; sums; random picks.

use crate::range;
use crate::util::{self, text_key};
use jumbo_abi::{ClassPtr, Cx, Key, KeyRef, Level, PArray, PObject, PRef, PStr, Res, Value, View, args, despite};
use jumbo_ext_random::{instance, pick};
use jumbo_value::convert::{self, to_int};
use jumbo_value::number::{self, Number};
use jumbo_value::PStrBuilder;

/// More elements than this have no room in PHP's arrays either.
pub const ELEMENTS_MAX: i64 = 0x4000_0000;

pub fn array_fill(cx: &mut Cx, start_index: i64, count: i64, value: &Value) -> Res<PArray> {
    if count < 0 {
        return Err(cx.arg_value_error(2, "must be greater than or equal to 0"));
    }
    if count >= ELEMENTS_MAX {
        return Err(cx.arg_value_error(2, "is too large"));
    }
    if count > 0 && start_index.checked_add(count - 1).is_none() {
        return Err(util::next_element_occupied(cx));
    }
    if start_index == 0 {
        return Ok(PArray::from_values((0..count).map(|_| value.clone())));
    }
    let mut filled = if (0..count).contains(&start_index) { PArray::with_capacity(count as usize) } else { PArray::with_hash_capacity(count as usize) };
    for n in 0..count {
        filled.set_int(start_index + n, value.clone());
    }
    Ok(filled)
}

/// Room for as many elements, under these keys: packed where PHP would begin it so.
fn room_for(keys: &PArray) -> PArray {
    match keys.values().next().map(Value::view_deref) {
        Some(View::Int(first)) => PArray::with_capacity_from(keys.len(), first),
        _ => PArray::with_hash_capacity(keys.len()),
    }
}

pub fn array_fill_keys(cx: &mut Cx, keys: &PArray, value: &Value) -> Res<PArray> {
    let mut filled = room_for(keys);
    for key in keys.values() {
        let key = text_key(cx, key)?;
        filled.set(key, value.clone());
    }
    cx.unless_thrown(filled)
}

pub fn array_combine(cx: &mut Cx, keys: &PArray, values: &PArray) -> Res<PArray> {
    if keys.len() != values.len() {
        return Err(cx.value_error(
            "array_combine(): Argument #1 ($keys) and argument #2 ($values) must have the same number of elements",
        ));
    }
    let mut combined = room_for(keys);
    for (key, value) in keys.values().zip(values.values()) {
        let key = text_key(cx, key)?;
        combined.set(key, util::element(value));
    }
    cx.unless_thrown(combined)
}

pub fn array_flip(cx: &mut Cx, array: &PArray) -> Res<PArray> {
    let mut flipped = PArray::with_hash_capacity(array.len());
    for (key, value) in array {
        match value.view_deref() {
            View::Int(i) => flipped.set_int(i, key.to_value()),
            View::Str(s) => flipped.set(Key::from_str(s), key.to_value()),
            _ => cx.warning("Can only flip string and integer values, entry skipped")?,
        }
    }
    Ok(flipped)
}

// ---- array_column

/// A column of array_column: a key of rows that are arrays, a property of those that are objects.
struct Column {
    key: Key,
    name: PStr,
}

impl Column {
    fn of(value: &Value) -> Option<Column> {
        match value.view_deref() {
            View::Int(i) => Some(Column { key: Key::Int(i), name: convert::int_to_string(i) }),
            View::Str(s) => Some(Column { key: Key::from_str(s), name: s.clone() }),
            _ => None,
        }
    }

    fn read(&self, cx: &mut Cx, row: &Value) -> Res<Option<Value>> {
        match row.view_deref() {
            View::Array(array) => Ok(array.get(&self.key).map(Value::copy_deref)),
            // No PHP code runs when an exception is on its way.
            View::Object(object) if cx.exception.is_none() => {
                let object = object.clone();
                self.read_property(cx, &object)
            }
            _ => Ok(None),
        }
    }

    /// A property that exists (null counts), or that `__isset` claims.
    fn read_property(&self, cx: &mut Cx, object: &PObject) -> Res<Option<Value>> {
        let scope = cx.caller_scope();
        let class = ClassPtr::of(object);
        let exists = cx.engine().property_exists(cx, object, &self.name, scope)?;
        if !exists && class.magic.isset.is_none() && class.hooks.prop_read.is_none() {
            return Ok(None);
        }
        if !exists && !cx.engine().has_property(cx, object, &self.name, false, scope)? {
            return Ok(None);
        }
        cx.engine().read_property(cx, object, &self.name, scope).map(|value| Some(value.into_deref()))
    }
}

pub fn array_column(cx: &mut Cx, array: &PArray, column_key: &Value, index_key: Option<&Value>) -> Res<PArray> {
    let column = Column::of(column_key);
    let index = index_key.and_then(Column::of);
    let mut result = PArray::new();
    for row in array.values() {
        let value = match &column {
            Some(column) => match column.read(cx, row)? {
                Some(value) => value,
                None => continue,
            },
            None => row.copy_deref(),
        };
        let key = match &index {
            Some(index) => index.read(cx, row)?,
            None => None,
        };
        match key {
            // What is no key throws, and the other rows are looked at nevertheless.
            Some(key) => {
                if let Some(key) = despite(util::offset_key(cx, &key))? {
                    result.set(key, value);
                }
            }
            None => util::push(cx, &mut result, value)?,
        }
    }
    cx.unless_thrown(result)
}

// ---- parts

pub fn array_chunk(cx: &mut Cx, array: &PArray, length: i64, preserve_keys: bool) -> Res<PArray> {
    if length < 1 {
        return Err(cx.arg_value_error(2, "must be greater than 0"));
    }
    let size = usize::try_from(length).unwrap_or(usize::MAX).min(array.len().max(1));
    let mut chunks = PArray::with_capacity(array.len().div_ceil(size));
    let mut chunk = PArray::new();
    for (key, value) in array {
        util::put(&mut chunk, if preserve_keys { key } else { KeyRef::Int(0) }, util::element(value), preserve_keys);
        if chunk.len() == size {
            chunks.append(std::mem::take(&mut chunk));
        }
    }
    if !chunk.is_empty() {
        chunks.append(chunk);
    }
    Ok(chunks)
}

pub fn array_pad(cx: &mut Cx, array: &PArray, length: i64, value: &Value) -> Res<PArray> {
    let wanted = length.unsigned_abs();
    if wanted >= ELEMENTS_MAX as u64 {
        return Err(cx.arg_value_error(2, "must not exceed the maximum allowed array size"));
    }
    let missing = (wanted as usize).saturating_sub(array.len());
    if missing == 0 {
        return Ok(array.clone());
    }
    let mut padded = PArray::with_capacity(wanted as usize);
    let pad = |padded: &mut PArray| (0..missing).for_each(|_| padded.append(value.clone()));
    if length < 0 {
        pad(&mut padded);
    }
    for (key, value) in array {
        util::put(&mut padded, key, util::element(value), false);
    }
    if length > 0 {
        pad(&mut padded);
    }
    Ok(padded)
}

pub fn array_slice(_cx: &mut Cx, array: &PArray, offset: i64, length: Option<i64>, preserve_keys: bool) -> PArray {
    let Some((start, count)) = util::slice_bounds(array.len(), offset, length) else { return PArray::new() };
    let whole = start == 0 && count == array.len() && (preserve_keys || array.is_packed() && array.is_list());
    if whole && array.values().all(|value| value.as_ref().is_none()) {
        return array.clone();
    }
    let mut part = if array.is_packed() && !preserve_keys { PArray::with_capacity(count) } else { PArray::new() };
    for (key, value) in util::from_nth(array, start).take(count) {
        util::put(&mut part, key, util::element(value), preserve_keys);
    }
    part
}

pub fn array_reverse(_cx: &mut Cx, array: &PArray, preserve_keys: bool) -> PArray {
    let mut reversed = if array.is_packed() && !preserve_keys {
        PArray::with_capacity(array.len())
    } else {
        PArray::with_hash_capacity(array.len())
    };
    for (key, value) in array.iter().rev() {
        util::put(&mut reversed, key, util::element(value), preserve_keys);
    }
    reversed
}

const CASE_LOWER: i64 = 0;

pub fn array_change_key_case(_cx: &mut Cx, array: &PArray, case: i64) -> Res<PArray> {
    let mut changed = PArray::with_hash_capacity(array.len());
    for (key, value) in array {
        let value = util::element(value);
        match key {
            KeyRef::Int(i) => changed.set_int(i, value),
            KeyRef::Str(s) => {
                let mut folded = PStrBuilder::with_capacity(s.len())?;
                folded.extend(s.as_bytes())?;
                if case != CASE_LOWER {
                    folded.as_mut_bytes().make_ascii_uppercase();
                } else {
                    folded.as_mut_bytes().make_ascii_lowercase();
                }
                changed.set_str(&folded.finish(), value);
            }
        }
    }
    Ok(changed)
}

pub fn array_count_values(cx: &mut Cx, array: &PArray) -> Res<PArray> {
    let mut counts = PArray::new();
    for value in array.values() {
        let key = match value.view_deref() {
            View::Int(i) => Key::Int(i),
            View::Str(s) => Key::from_str(s),
            _ => {
                cx.warning("Can only count string and integer values, entry skipped")?;
                continue;
            }
        };
        let so_far = counts.get(&key).and_then(Value::as_int).unwrap_or(0);
        counts.set(key, Value::from(so_far + 1));
    }
    Ok(counts)
}

// ---- sums

/// A number as Value.
fn number_value(n: Number) -> Value {
    match n {
        Number::Int(i) => Value::from(i),
        Number::Float(f) => Value::from(f),
    }
}

fn plus(a: Number, b: Number) -> Number {
    match (a, b) {
        (Number::Int(x), Number::Int(y)) => {
            x.checked_add(y).map_or_else(|| Number::Float(x as f64 + y as f64), Number::Int)
        }
        _ => Number::Float(a.to_f64() + b.to_f64()),
    }
}

fn times(a: Number, b: Number) -> Number {
    match (a, b) {
        (Number::Int(x), Number::Int(y)) => {
            x.checked_mul(y).map_or_else(|| Number::Float(x as f64 * y as f64), Number::Int)
        }
        _ => Number::Float(a.to_f64() * b.to_f64()),
    }
}

/// The number that an element is worth; None: it is left out, as is what is no number behind a reference. `operation` names it in warnings. What a warning throws waits for the
/// end, or is forgotten for the next warning about an unsupported element.
fn operand(cx: &mut Cx, value: &Value, operation: &str) -> Res<Option<Number>> {
    let unsupported = |cx: &mut Cx| {
        cx.exception = None;
        let kind = args::type_name(value);
        despite(cx.warning([operation.as_bytes(), b" is not supported on type ", &kind]))
    };
    Ok(Some(match value.view_deref() {
        View::Int(i) => Number::Int(i),
        View::Float(f) => Number::Float(f),
        View::Null | View::Undef => Number::Int(0),
        View::Bool(b) => Number::Int(b as i64),
        View::Str(s) => match number::parse_prefix(s.as_bytes()) {
            Some(n) => {
                if n.trailing {
                    despite(cx.raise(Level::Warning, b"A non-numeric value encountered"))?;
                    if cx.exception.is_some() {
                        unsupported(cx)?;
                    }
                }
                n.number
            }
            None => {
                unsupported(cx)?;
                if value.is_ref() {
                    return Ok(None);
                }
                Number::Int(0)
            }
        },
        View::Resource(_) => {
            unsupported(cx)?;
            if value.is_ref() {
                return Ok(None);
            }
            Number::Int(to_int(value))
        }
        View::Array(_) | View::Object(_) | View::Ref(_) => {
            // An object is not looked at when an exception is on its way.
            if value.deref().is_array() || cx.exception.is_none() {
                unsupported(cx)?;
            }
            return Ok(None);
        }
    }))
}

pub fn array_sum(cx: &mut Cx, array: &PArray) -> Res<Value> {
    let mut sum = Number::Int(0);
    for value in array.values() {
        if let Some(n) = operand(cx, value, "Addition")? {
            sum = plus(sum, n);
        }
    }
    cx.unless_thrown(number_value(sum))
}

pub fn array_product(cx: &mut Cx, array: &PArray) -> Res<Value> {
    let mut product = Number::Int(1);
    for value in array.values() {
        if let Some(n) = operand(cx, value, "Multiplication")? {
            product = times(product, n);
        }
    }
    cx.unless_thrown(number_value(product))
}

// ---- chance

pub fn array_rand(cx: &mut Cx, array: &PArray, num: i64) -> Res<Value> {
    let len = array.len();
    if len == 0 {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let wanted = match usize::try_from(num) {
        Ok(wanted) if (1..=len).contains(&wanted) => wanted,
        _ => return Err(cx.arg_value_error(2, "must be between 1 and the number of elements in argument #1 ($array)")),
    };
    let engine = instance::shared(cx);
    if wanted == 1 {
        let used = array.last().map_or(0, |last| last as usize + 1);
        // Places are drawn until one holds an element; an array of mostly holes is counted through instead.
        let key = if len * 2 < used {
            let n = pick::pick(engine, len, 1).ok().and_then(|n| n.first().copied()).unwrap_or(0);
            array.keys().nth(n)
        } else {
            loop {
                let at = pick::pick(engine, used, 1).ok().and_then(|n| n.first().copied()).unwrap_or(0);
                if let Some((key, _)) = u32::try_from(at).ok().and_then(|at| array.at(at)) {
                    break Some(key);
                }
            }
        };
        return Ok(key.map_or(Value::NULL, KeyRef::to_value));
    }
    let Ok(picked) = pick::pick(engine, len, wanted) else { return Err(no_randomness(cx)) };
    let mut keys = PArray::with_capacity(picked.len());
    let mut picked = picked.into_iter().peekable();
    for (n, key) in array.keys().enumerate() {
        if picked.next_if_eq(&n).is_some() {
            keys.append(key.to_value());
        }
    }
    Ok(Value::from(keys))
}

fn no_randomness(cx: &mut Cx) -> jumbo_abi::Stop {
    cx.throw("Random\\RandomException", "Cannot get random numbers")
}

pub fn shuffle(cx: &mut Cx, array: &PRef) -> Res<bool> {
    let old = util::array_in(cx, array, 1)?;
    let mut values: Vec<Value> = old.values().map(util::element).collect();
    drop(old);
    instance::shuffle(cx, values.len(), |a, b| values.swap(a, b))?;
    array.set(Value::from(PArray::from_values(values)));
    Ok(true)
}

pub fn range(cx: &mut Cx, start: &Value, end: &Value, step: &Value) -> Res<PArray> {
    range::range(cx, start, end, step)
}
