//! MultipleIterator: several iterators side by side.

use crate::spl_object_storage::Storage;
use crate::support::{ask, debug_table};
use jumbo_abi::{ClassHooks, ClassPtr, Cx, Key, PArray, PObject, Res, Stop, Value};
use jumbo_value::Native;
use std::cell::Cell;

const NEED_ALL: i64 = 1;
const KEYS_ASSOC: i64 = 2;

/// The iterators with what they were attached with, kept as SplObjectStorage keeps objects.
struct State {
    flags: Cell<i64>,
    storage: Storage,
}

impl Native for State {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.storage.trace(visit);
    }
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        let copy = State { flags: self.flags.clone(), storage: Storage::default() };
        for (key, object, info) in self.storage.entries() {
            copy.storage.insert(&key, &object, info);
        }
        Some(Box::new(copy))
    }
    fn clear(&mut self) {
        self.storage.clear();
    }
}

pub static HOOKS: ClassHooks = ClassHooks {
    create: Some(create),
    dim_read: Some(dim_read),
    dim_write: Some(dim_write),
    dim_has: Some(dim_has),
    dim_unset: Some(dim_unset),
    ..ClassHooks::NONE
};

/// The iterator that an offset must be.
fn offset(cx: &mut Cx, value: &Value) -> Res<PObject> {
    let iterator = cx.builtin_class(b"iterator");
    match value.deref().as_object() {
        Some(object) if ClassPtr::of(object).is_a(iterator) => Ok(object.clone()),
        _ => Err(cx.type_error("Can only attach objects that implement the Iterator interface")),
    }
}

fn dim_read(cx: &mut Cx, this: &PObject, key: Option<&Value>) -> Res<Value> {
    let found = match key.and_then(|k| k.deref().as_object()) {
        Some(object) => state(cx, this)?.storage.info(&key_of(object)),
        None => None,
    };
    found.ok_or_else(|| cx.throw("UnexpectedValueException", "Object not found"))
}

fn dim_write(cx: &mut Cx, this: &PObject, key: Option<&Value>, value: &Value) -> Res<()> {
    let iterator = offset(cx, key.unwrap_or(&Value::null()))?;
    state(cx, this)?.storage.insert(&key_of(&iterator), &iterator, value.copy_deref());
    Ok(())
}

fn dim_has(cx: &mut Cx, this: &PObject, key: &Value, empty: bool) -> Res<bool> {
    let Some(object) = key.deref().as_object() else { return Ok(false) };
    match state(cx, this)?.storage.info(&key_of(object)) {
        Some(info) if empty => crate::support::truth(cx, &info),
        found => Ok(found.is_some()),
    }
}

fn dim_unset(cx: &mut Cx, this: &PObject, key: &Value) -> Res<()> {
    if let Some(object) = key.deref().as_object() {
        state(cx, this)?.storage.remove(&key_of(object));
    }
    Ok(())
}

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State { flags: Cell::new(NEED_ALL), storage: Storage::default() }));
    Ok(())
}

fn state<'o>(cx: &mut Cx, this: &'o PObject) -> Res<&'o State> {
    match this.native::<State>() {
        Some(state) => Ok(state),
        None => Err(cx.throw_error("The MultipleIterator has not been initialized")),
    }
}

fn key_of(iterator: &PObject) -> Key {
    Key::Int(i64::from(iterator.id()))
}

/// The iterators, held while their methods run.
fn iterators(cx: &mut Cx, this: &PObject) -> Res<Vec<(PObject, Value)>> {
    Ok(state(cx, this)?.storage.entries().into_iter().map(|(_, object, info)| (object, info)).collect())
}

pub fn __construct(cx: &mut Cx, this: &PObject, flags: i64) -> Res<()> {
    set_flags(cx, this, flags)
}

pub fn get_flags(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(state(cx, this)?.flags.get())
}

pub fn set_flags(cx: &mut Cx, this: &PObject, flags: i64) -> Res<()> {
    state(cx, this)?.flags.set(flags);
    Ok(())
}

pub fn attach_iterator(cx: &mut Cx, this: &PObject, iterator: &PObject, info: Option<&Value>) -> Res<()> {
    let info = info.map(Value::copy_deref).unwrap_or_default();
    if !info.is_null() {
        for (_, other) in iterators(cx, this)? {
            if cx.identical(&other, &info)? {
                return Err(cx.throw("InvalidArgumentException", "Key duplication error"));
            }
        }
    }
    state(cx, this)?.storage.insert(&key_of(iterator), iterator, info);
    Ok(())
}

pub fn detach_iterator(cx: &mut Cx, this: &PObject, iterator: &PObject) -> Res<()> {
    state(cx, this)?.storage.remove(&key_of(iterator));
    Ok(())
}

pub fn contains_iterator(cx: &mut Cx, this: &PObject, iterator: &PObject) -> Res<bool> {
    Ok(state(cx, this)?.storage.contains(&key_of(iterator)))
}

pub fn count_iterators(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(state(cx, this)?.storage.len() as i64)
}

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    for (iterator, _) in iterators(cx, this)? {
        cx.call_method(&iterator, b"rewind", &[])?;
    }
    Ok(())
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    for (iterator, _) in iterators(cx, this)? {
        cx.call_method(&iterator, b"next", &[])?;
    }
    Ok(())
}

pub fn valid(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let all = get_flags(cx, this)? & NEED_ALL != 0;
    let iterators = iterators(cx, this)?;
    if iterators.is_empty() {
        return Ok(false);
    }
    for (iterator, _) in iterators {
        if ask(cx, &iterator, b"valid")? != all {
            return Ok(!all);
        }
    }
    Ok(all)
}

/// What `method` of each iterator gives.
fn gather(cx: &mut Cx, this: &PObject, method: &[u8]) -> Res<PArray> {
    let flags = get_flags(cx, this)?;
    let mut result = PArray::new();
    if state(cx, this)?.storage.len() == 0 {
        let text = [b"Called ".as_slice(), method, b"() on an invalid iterator"].concat();
        return Err(cx.throw("RuntimeException", text));
    }
    for (iterator, info) in iterators(cx, this)? {
        let value = if ask(cx, &iterator, b"valid")? {
            match cx.call_method(&iterator, method, &[]) {
                Ok(value) => value.into_deref(),
                Err(Stop::Thrown) => return Err(cx.throw("RuntimeException", "Failed to call sub iterator method")),
                Err(stop) => return Err(stop),
            }
        } else if flags & NEED_ALL != 0 {
            let text = [b"Called ".as_slice(), method, b"() with non valid sub iterator"].concat();
            return Err(cx.throw("RuntimeException", text));
        } else {
            Value::null()
        };
        if flags & KEYS_ASSOC == 0 {
            result.append(value);
            continue;
        }
        match (info.as_int(), info.as_str()) {
            (Some(i), _) => result.set_int(i, value),
            (_, Some(s)) => result.set(Key::from_str(s), value),
            _ => return Err(cx.throw("InvalidArgumentException", "Sub-Iterator is associated with NULL")),
        }
    }
    Ok(result)
}

pub fn key(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    gather(cx, this, b"key")
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    gather(cx, this, b"current")
}

pub fn __debug_info(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let shown = state(cx, this)?.storage.shown();
    debug_table(cx, this, "SplObjectStorage", &[("storage", Value::from(shown))])
}
