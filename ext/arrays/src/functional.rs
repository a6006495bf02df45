//! Callbacks over elements: array_map, array_filter, array_reduce, array_walk, array_find and their kin.

use crate::util;
use jumbo_abi::desc::Purpose;
use jumbo_abi::lazy::Lazy;
use jumbo_abi::{Callable, ClassPtr, Cx, Key, KeyRef, PArray, PObject, PRef, PStr, Res, Value, View, member_flags};
use jumbo_value::HeapVec;
use jumbo_value::array::iterators;
use jumbo_value::convert::to_bool;

const USE_BOTH: i64 = 1;
const USE_KEY: i64 = 2;

pub fn array_map(cx: &mut Cx, callback: Option<&Callable>, array: &PArray, arrays: &[Value]) -> Res<PArray> {
    if arrays.is_empty() {
        let Some(callback) = callback else { return Ok(array.clone()) };
        if array.is_packed() && array.is_list() {
            let mut mapped = PArray::with_capacity(array.len());
            for value in array.values() {
                mapped.append(cx.call(callback, &[util::element(value)])?.into_deref());
            }
            return Ok(mapped);
        }
        let mut mapped = if array.is_packed() { PArray::with_capacity(array.len()) } else { PArray::with_hash_capacity(array.len()) };
        for (key, value) in array {
            let result = cx.call(callback, &[util::element(value)])?.into_deref();
            util::put(&mut mapped, key, result, true);
        }
        return Ok(mapped);
    }
    let mut all = vec![array];
    for (n, value) in arrays.iter().enumerate() {
        all.push(util::array_argument(cx, value, n as u32 + 3)?);
    }
    let longest = all.iter().map(|a| a.len()).max().unwrap_or(0);
    let mut iterators: Vec<_> = all.iter().map(|a| a.values()).collect();
    let mut mapped = PArray::with_capacity(longest);
    for _ in 0..longest {
        // A shorter array gives nulls at its end. What no callback is called with stays a reference, if it is one.
        let of = if callback.is_some() { util::element } else { Value::clone };
        let tuple: Vec<Value> = iterators.iter_mut().map(|i| i.next().map_or(Value::NULL, of)).collect();
        match callback {
            Some(callback) => mapped.append(cx.call(callback, &tuple)?.into_deref()),
            None => mapped.append(PArray::from_values(tuple)),
        }
    }
    Ok(mapped)
}

pub fn array_filter(cx: &mut Cx, array: &PArray, callback: Option<&Callable>, mode: i64) -> Res<PArray> {
    let mut kept = PArray::new();
    for (key, value) in array {
        let keep = match callback {
            None => to_bool(value),
            Some(callback) => {
                let answer = match mode {
                    USE_KEY => cx.call(callback, &[key.to_value()])?,
                    USE_BOTH => cx.call(callback, &[util::element(value), key.to_value()])?,
                    _ => cx.call(callback, &[util::element(value)])?,
                };
                to_bool(&answer)
            }
        };
        if keep {
            util::put(&mut kept, key, util::element(value), true);
        }
    }
    Ok(kept)
}

pub fn array_reduce(cx: &mut Cx, array: &PArray, callback: &Callable, initial: Option<&Value>) -> Res<Value> {
    let mut carry = initial.map_or(Value::NULL, Value::clone);
    for value in array.values() {
        // The carry is handed over: the callback may change it in place.
        let arguments = [carry.take(), util::element(value)];
        carry = cx.call(callback, &arguments)?.into_deref();
    }
    Ok(carry)
}

/// The first element for which the callback's truth is `wanted`.
fn search<'a>(cx: &mut Cx, array: &'a PArray, callback: &Callable, wanted: bool) -> Res<Option<(KeyRef<'a>, &'a Value)>> {
    for (key, value) in array {
        let answer = cx.call(callback, &[util::element(value), key.to_value()])?;
        if to_bool(&answer) == wanted {
            return Ok(Some((key, value)));
        }
    }
    Ok(None)
}

pub fn array_find(cx: &mut Cx, array: &PArray, callback: &Callable) -> Res<Option<Value>> {
    Ok(search(cx, array, callback, true)?.map(|(_, value)| value.copy_deref()))
}

pub fn array_find_key(cx: &mut Cx, array: &PArray, callback: &Callable) -> Res<Option<Value>> {
    Ok(search(cx, array, callback, true)?.map(|(key, _)| key.to_value()))
}

pub fn array_any(cx: &mut Cx, array: &PArray, callback: &Callable) -> Res<bool> {
    Ok(search(cx, array, callback, true)?.is_some())
}

pub fn array_all(cx: &mut Cx, array: &PArray, callback: &Callable) -> Res<bool> {
    Ok(search(cx, array, callback, false)?.is_none())
}

// ---- array_walk

pub fn array_walk(cx: &mut Cx, array: &PRef, callback: &Callable, arg: Option<&Value>) -> Res<bool> {
    walk(cx, array, callback, arg, false, &mut Vec::new())?;
    Ok(true)
}

pub fn array_walk_recursive(cx: &mut Cx, array: &PRef, callback: &Callable, arg: Option<&Value>) -> Res<bool> {
    walk(cx, array, callback, arg, true, &mut Vec::new())?;
    Ok(true)
}

fn arguments(value: Value, key: Value, arg: Option<&Value>) -> Vec<Value> {
    let mut arguments = vec![value, key];
    arguments.extend(arg.map(Value::copy_deref));
    arguments
}

/// `open`: the references that are walked through, for arrays that contain themselves.
fn walk(
    cx: &mut Cx,
    place: &PRef,
    callback: &Callable,
    arg: Option<&Value>,
    recursive: bool,
    open: &mut Vec<PRef>,
) -> Res<()> {
    match place.get().view() {
        View::Object(object) => {
            let object = object.clone();
            return walk_object(cx, &object, callback, arg, recursive, open);
        }
        View::Array(_) => {}
        _ => return Err(util::not_an_array(cx, &place.get(), 1)),
    }
    // The walk holds a numbered position, which follows the array through growth and separation.
    let separated = util::update_array(place, |array| {
        array.separate();
        array.as_ptr()
    });
    let Some(array) = separated else { return Ok(()) };
    let position = iterators::start(array, 0, std::ptr::from_ref(jumbo_value::Heap::current()) as usize);
    let result = walk_elements(cx, place, position, callback, arg, recursive, open);
    iterators::end(position);
    result
}

/// The array is looked at anew for each element: the callback may change or replace it, and is seen to.
fn walk_elements(
    cx: &mut Cx,
    place: &PRef,
    position: usize,
    callback: &Callable,
    arg: Option<&Value>,
    recursive: bool,
    open: &mut Vec<PRef>,
) -> Res<()> {
    let by_ref = callback.function.is_by_ref(0);
    loop {
        let current = place.get();
        let Some(array) = current.as_array() else {
            return Err(cx.throw_error("Iterated value is no longer an array or object"));
        };
        let Some(at) = array.seek(iterators::position(position, array.as_ptr())) else { return Ok(()) };
        let Some((key, value)) = array.at(at).map(|(k, v)| (k.to_value(), v.clone())) else { return Ok(()) };
        // Onward before the callback, as foreach does: what it appends or removes counts from there.
        iterators::set_position(position, at.saturating_add(1));
        let nested = recursive && value.deref().is_array();
        if !by_ref && !nested {
            // The content, so that the array's own count stays as it was.
            let value = value.into_deref();
            drop(current);
            cx.call(callback, &arguments(value, key, arg))?;
            continue;
        }
        drop(value);
        drop(current);
        let made = util::update_array(place, |array| {
            let reference = array.with_value_at(at, Value::make_ref);
            iterators::position(position, array.as_ptr());
            reference.map(|r| (r, array.as_ptr()))
        });
        let Some((reference, walked)) = made.flatten() else { return Ok(()) };
        let result = if nested {
            walk_nested(cx, &reference, callback, arg, open)
        } else {
            cx.call(callback, &arguments(Value::from(reference.clone()), key, arg)).map(drop)
        };
        let now = place.get();
        if let Some(array) = now.as_array()
            && array.as_ptr() != walked
            && !holds(array, at, &reference)
        {
            // Another array, not a copy of the one that was walked through: it starts from its own pointer.
            iterators::set_position(position, array.internal_position().unwrap_or(u32::MAX));
        }
        drop(now);
        unwrap(place, at, reference);
        result?;
    }
}

/// Does the array hold this reference at a position?
fn holds(array: &PArray, at: u32, reference: &PRef) -> bool {
    array.at(at).is_some_and(|(_, v)| v.as_ref().is_some_and(|r| r.ptr_eq(reference)))
}

fn walk_nested(cx: &mut Cx, reference: &PRef, callback: &Callable, arg: Option<&Value>, open: &mut Vec<PRef>) -> Res<()> {
    cx.check_stack()?;
    if open.iter().any(|r| r.ptr_eq(reference)) {
        return Err(cx.throw_error("Recursion detected"));
    }
    open.push(reference.clone());
    let result = walk(cx, reference, callback, arg, true, open);
    open.pop();
    result
}

/// Makes an element a plain value again when only this walk had made it a reference.
fn unwrap(place: &PRef, at: u32, reference: PRef) {
    if reference.ref_count() != 2 {
        return;
    }
    // Absent: the callback put something else there.
    let _ = util::update_array(place, |array| {
        if holds(array, at, &reference) {
            array.with_value_at(at, |slot| *slot = reference.get());
        }
    });
}

/// The properties of an object, by their mangled names; what a callback assigns goes back into them.
fn walk_object(
    cx: &mut Cx,
    object: &PObject,
    callback: &Callable,
    arg: Option<&Value>,
    recursive: bool,
    open: &mut Vec<PRef>,
) -> Res<()> {
    // The properties of a lazy object are those of what it stands for.
    let real = cx.engine().lazy(cx, Lazy::Initialize(object))?;
    let object = real.as_object().unwrap_or(object);
    let mut properties = HeapVec::collect(cx.properties(object, Purpose::Vars)?.entries())?;
    // A handle of the dynamic ones: another table means that they have changed.
    let mut table = object.dynamic();
    let mut at = 0;
    while let Some((key, value)) = properties.get(at).cloned() {
        at += 1;
        if is_unset(object, &key) {
            continue;
        }
        let typed = if value.is_ref() { None } else { typed_place(cx, object, &key)? };
        let place = match (&typed, value.as_ref()) {
            (Some(reference), _) => reference.clone(),
            (None, Some(reference)) => reference.clone(),
            (None, None) => PRef::new(value.clone()),
        };
        let before = place.get();
        if recursive && before.is_array() {
            walk_nested(cx, &place, callback, arg, open)?;
        } else {
            cx.call(callback, &arguments(Value::from(place.clone()), key.as_ref().to_value(), arg))?;
        }
        let now = object.dynamic();
        if now.as_ref().map(PArray::as_ptr) != table.as_ref().map(PArray::as_ptr) {
            // What the callback has added comes, what it has removed does not.
            let changed = HeapVec::collect(cx.properties(object, Purpose::Vars)?.entries())?;
            let place_of = |key: &Key| changed.iter().position(|(k, _)| k == key);
            let behind = properties.iter().skip(at).find_map(|(k, _)| place_of(k));
            at = place_of(&key).map_or(behind.unwrap_or(changed.len()), |at| at + 1);
            properties = changed;
        }
        drop(now);
        let after = place.get();
        if !value.is_ref() && typed.is_none() && !cx.identical(&before, &after)? {
            write_mangled(cx, object, &key, after)?;
        }
        table = object.dynamic();
    }
    Ok(())
}

/// Is it a declared property without a value?
fn is_unset(object: &PObject, key: &Key) -> bool {
    let name = key.as_ref().to_str();
    let class = ClassPtr::of(object);
    class.properties.get(name.as_bytes()).is_some_and(|p| !p.is_virtual() && object.slot(p.slot).is_undef())
}

/// A reference to a public property with a type, which keeps its type.
fn typed_place(cx: &mut Cx, object: &PObject, key: &Key) -> Res<Option<PRef>> {
    let class = ClassPtr::of(object);
    let name = key.as_ref().to_str();
    let typed = class.properties.get(name.as_bytes()).is_some_and(|p| {
        p.ty.is_some() && p.flags & (member_flags::VISIBILITY | member_flags::READONLY) == member_flags::PUBLIC && !p.has_hooks() && !p.is_virtual()
    });
    if !typed {
        return Ok(None);
    }
    Ok(cx.engine().property_reference(cx, object, &name, Some(class))?.as_ref().cloned())
}

/// Writes the property that `(array)` shows under `key`: `\0Class\0name`, `\0*\0name` or its name.
fn write_mangled(cx: &mut Cx, object: &PObject, key: &Key, value: Value) -> Res<()> {
    let text = key.as_ref().to_str();
    let bytes = text.as_bytes();
    let Some(rest) = bytes.strip_prefix(b"\0") else {
        return cx.write_property(object, bytes, value);
    };
    let (class, name) = match rest.iter().position(|&b| b == 0) {
        Some(end) => (&rest[..end], &rest[end + 1..]),
        None => (b"*".as_slice(), rest),
    };
    if class == b"*" {
        return cx.write_property(object, name, value);
    }
    let scope = cx.find_class(class, false)?;
    cx.engine().write_property(cx, object, &PStr::new(name), value, scope)
}
