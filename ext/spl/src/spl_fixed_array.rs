//! SplFixedArray: a list of fixed size.

use crate::support::{self, OffsetUse, bad_offset};
use jumbo_abi::desc::{NativeIterator, Purpose};
use jumbo_abi::{ClassHooks, ClassPtr, Cx, Key, KeyRef, Level, PArray, PObject, Res, Stop, Value, View};
use jumbo_value::Native;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

/// A list of all elements: keys are 0 to size - 1.
#[derive(Default)]
struct State {
    elements: RefCell<PArray>,
    /// The size is being changed: destructors of what falls out run.
    resizing: Cell<bool>,
    /// What such a destructor wants the size to be.
    wanted: Cell<Option<i64>>,
}

impl Native for State {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.elements.borrow().values().for_each(visit);
    }
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        Some(Box::new(State { elements: RefCell::new(self.elements.borrow().clone()), ..State::default() }))
    }
    fn clear(&mut self) {
        drop(self.elements.take());
    }
}

pub static HOOKS: ClassHooks = ClassHooks {
    create: Some(create),
    dim_read: Some(dim_read),
    dim_write: Some(dim_write),
    dim_has: Some(dim_has),
    dim_has_alone: true,
    dim_unset: Some(dim_unset),
    properties: Some(properties),
    iterate: Some(iterate),
    ..ClassHooks::NONE
};

const NAME: &[u8] = b"SplFixedArray";

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State::default()));
    Ok(())
}

fn state<'o>(cx: &mut Cx, this: &'o PObject) -> Res<&'o State> {
    match this.native::<State>() {
        Some(state) => Ok(state),
        None => Err(cx.throw_error("The SplFixedArray has not been initialized")),
    }
}

fn elements(this: &PObject) -> PArray {
    this.native::<State>().map(|s| s.elements.borrow().clone()).unwrap_or_default()
}

fn invalid_index(cx: &mut Cx) -> Stop {
    cx.throw("OutOfBoundsException", "Index invalid or out of range")
}

/// The index that an offset means.
fn index(cx: &mut Cx, offset: &Value, used: OffsetUse) -> Res<i64> {
    match offset.view_deref() {
        View::Int(i) => Ok(i),
        View::Str(s) => match s.as_index() {
            Some(i) => Ok(i),
            None => Err(bad_offset(cx, offset, used, NAME)),
        },
        View::Float(f) => {
            if !jumbo_value::number::float_is_int(f) {
                cx.deprecated_fraction(offset.deref(), f)?;
            }
            Ok(jumbo_value::number::float_to_int(f))
        }
        View::Bool(b) => Ok(i64::from(b)),
        View::Resource(r) => {
            let id = r.id();
            cx.raise(Level::Warning, format!("Resource ID#{id} used as offset, casting to integer ({id})").as_bytes())?;
            Ok(id)
        }
        _ => Err(bad_offset(cx, offset, used, NAME)),
    }
}

fn no_append(cx: &mut Cx) -> Stop {
    cx.throw_error("[] operator not supported for SplFixedArray")
}

fn dim_read(cx: &mut Cx, this: &PObject, offset: Option<&Value>) -> Res<Value> {
    let Some(offset) = offset else { return Err(no_append(cx)) };
    let index = index(cx, offset, OffsetUse::Access)?;
    let value = elements(this).get_int(index).map(Value::copy_deref);
    value.ok_or_else(|| invalid_index(cx))
}

fn dim_write(cx: &mut Cx, this: &PObject, offset: Option<&Value>, value: &Value) -> Res<()> {
    let Some(offset) = offset else { return Err(no_append(cx)) };
    let index = index(cx, offset, OffsetUse::Access)?;
    let value = value.copy_deref();
    let old = {
        let mut elements = state(cx, this)?.elements.borrow_mut();
        let there = elements.get_int(index).is_some();
        there.then(|| {
            elements.with_slot(&Key::Int(index), |slot| match slot.as_ref() {
                Some(reference) => reference.replace(value),
                None => std::mem::replace(slot, value),
            })
        })
    };
    old.map(drop).ok_or_else(|| invalid_index(cx))
}

fn dim_has(cx: &mut Cx, this: &PObject, offset: &Value, empty: bool) -> Res<bool> {
    let index = index(cx, offset, OffsetUse::Access)?;
    let Some(value) = elements(this).get_int(index).map(Value::copy_deref) else { return Ok(false) };
    if empty { support::truth(cx, &value) } else { Ok(!value.is_null()) }
}

fn dim_unset(cx: &mut Cx, this: &PObject, offset: &Value) -> Res<()> {
    let index = index(cx, offset, OffsetUse::Unset)?;
    let state = state(cx, this)?;
    let there = state.elements.borrow().get_int(index).is_some();
    if !there {
        return Err(invalid_index(cx));
    }
    let old = state.elements.borrow_mut().with_slot(&Key::Int(index), |slot| std::mem::replace(slot, Value::null()));
    drop(old);
    Ok(())
}

fn properties(_cx: &mut Cx, this: &PObject, purpose: Purpose) -> Res<Option<PArray>> {
    if matches!(purpose, Purpose::Serialize | Purpose::Vars) {
        return Ok(None);
    }
    let mut table = elements(this);
    let class = ClassPtr::of(this);
    for (n, slot) in class.slots.iter().enumerate() {
        let value = this.slot(n as u32);
        if !value.is_undef() {
            let name = class.properties.get(slot.name.as_bytes()).map_or_else(|| slot.name.clone(), |p| p.mangled());
            table.set(Key::from_str(&name), value);
        }
    }
    for (key, value) in this.dynamic().iter().flatten() {
        // Names of properties are strings, whatever they look like; only a cast makes keys of them.
        let key = if purpose == Purpose::ArrayCast { key.to_key() } else { Key::Str(key.to_str()) };
        table.set(key, value.clone());
    }
    Ok(Some(table))
}

pub fn __construct(cx: &mut Cx, this: &PObject, size: i64) -> Res<()> {
    if size < 0 {
        return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
    }
    if !elements(this).is_empty() {
        // Called twice.
        return Ok(());
    }
    resize(cx, this, size)
}

fn resize(cx: &mut Cx, this: &PObject, size: i64) -> Res<()> {
    let state = state(cx, this)?;
    if state.resizing.get() {
        state.wanted.set(Some(size));
        return Ok(());
    }
    let mut wanted = Some(size);
    while let Some(size) = wanted {
        let gone = resized(state, size);
        state.resizing.set(true);
        drop(gone);
        let result = cx.engine().run_pending_destructors(cx);
        state.resizing.set(false);
        wanted = state.wanted.take();
        result?;
    }
    Ok(())
}

/// Changes the size; gives what falls out, the first one first.
fn resized(state: &State, size: i64) -> VecDeque<Value> {
    let size = usize::try_from(size).unwrap_or(0);
    let mut elements = state.elements.borrow_mut();
    let mut gone = VecDeque::new();
    if elements.is_empty() && size > 0 {
        *elements = PArray::from_values((0..size).map(|_| Value::null()));
    }
    while elements.len() < size {
        elements.append(Value::null());
    }
    while elements.len() > size {
        match elements.pop() {
            Some(value) => gone.push_front(value),
            None => break,
        }
    }
    gone
}

pub fn __wakeup(cx: &mut Cx, this: &PObject) -> Res<()> {
    let state = state(cx, this)?;
    if state.elements.borrow().is_empty()
        && let Some(table) = this.set_dynamic(None)
    {
        let elements: PArray = table.values().cloned().collect();
        drop(state.elements.replace(elements));
    }
    Ok(())
}

pub fn __serialize(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let mut data = elements(this);
    for (key, value) in &support::members(cx, this)? {
        data.set(Key::Str(key.to_str()), value.clone());
    }
    Ok(data)
}

pub fn __unserialize(cx: &mut Cx, this: &PObject, data: &PArray) -> Res<()> {
    let state = state(cx, this)?;
    if !state.elements.borrow().is_empty() {
        return Ok(());
    }
    let (mut list, mut members) = (PArray::new(), PArray::new());
    for (key, value) in data {
        match key {
            KeyRef::Int(_) => list.append(value.copy_deref()),
            KeyRef::Str(_) => members.set(key.to_key(), value.clone()),
        }
    }
    drop(state.elements.replace(list));
    support::set_members(cx, this, &members)
}

pub fn count(_cx: &mut Cx, this: &PObject) -> i64 {
    elements(this).len() as i64
}

pub fn get_size(cx: &mut Cx, this: &PObject) -> i64 {
    count(cx, this)
}

pub fn to_array(_cx: &mut Cx, this: &PObject) -> PArray {
    elements(this)
}

pub fn json_serialize(_cx: &mut Cx, this: &PObject) -> PArray {
    elements(this)
}

pub fn from_array(cx: &mut Cx, class: ClassPtr, array: &PArray, preserve_keys: bool) -> Res<PObject> {
    let _ = class;
    let mut list = PArray::new();
    if preserve_keys && !array.is_empty() {
        let mut largest = 0;
        for key in array.keys() {
            match key {
                KeyRef::Int(i) if i >= 0 => largest = largest.max(i),
                _ => return Err(cx.throw("InvalidArgumentException", "array must contain only positive integer keys")),
            }
        }
        if largest == i64::MAX {
            return Err(cx.throw("InvalidArgumentException", "integer overflow detected"));
        }
        list = PArray::from_values((0..=largest).map(|_| Value::null()));
        for (key, value) in array {
            list.set(key.to_key(), value.copy_deref());
        }
    } else {
        for value in array.values() {
            list.append(value.copy_deref());
        }
    }
    let own = cx.builtin_class(b"splfixedarray");
    let object = cx.new_object(own)?;
    drop(state(cx, &object)?.elements.replace(list));
    Ok(object)
}

pub fn set_size(cx: &mut Cx, this: &PObject, size: i64) -> Res<bool> {
    if size < 0 {
        return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
    }
    resize(cx, this, size)?;
    Ok(true)
}

pub fn offset_exists(cx: &mut Cx, this: &PObject, index: &Value) -> Res<bool> {
    dim_has(cx, this, index, false)
}
pub fn offset_get(cx: &mut Cx, this: &PObject, index: &Value) -> Res<Value> {
    dim_read(cx, this, Some(index))
}
pub fn offset_set(cx: &mut Cx, this: &PObject, index: &Value, value: &Value) -> Res<()> {
    if index.deref().is_null() {
        return Err(no_append(cx));
    }
    dim_write(cx, this, Some(index), value)
}
pub fn offset_unset(cx: &mut Cx, this: &PObject, index: &Value) -> Res<()> {
    dim_unset(cx, this, index)
}

pub fn get_iterator(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let native = iterate(cx, this, false)?;
    Ok(cx.engine().internal_iterator(cx, native))
}

struct Walk {
    array: Value,
    at: Cell<i64>,
}

impl Native for Walk {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.array);
    }
    fn clear(&mut self) {
        drop(self.array.take());
    }
}

fn iterate(cx: &mut Cx, this: &PObject, by_ref: bool) -> Res<Box<dyn NativeIterator>> {
    if by_ref {
        return Err(cx.throw_error("An iterator cannot be used with foreach by reference"));
    }
    Ok(Box::new(Walk { array: Value::from(this.clone()), at: Cell::new(0) }))
}

impl NativeIterator for Walk {
    fn rewind(&self, _cx: &mut Cx) -> Res<()> {
        self.at.set(0);
        Ok(())
    }
    fn valid(&self, _cx: &mut Cx) -> Res<bool> {
        let len = self.array.as_object().and_then(|o| o.native::<State>()).map_or(0, |s| s.elements.borrow().len() as i64);
        Ok(self.at.get() < len)
    }
    fn current(&self, cx: &mut Cx) -> Res<Value> {
        let Some(object) = self.array.as_object() else { return Ok(Value::null()) };
        let class = ClassPtr::of(object);
        let index = Value::from(self.at.get());
        match class.magic.offset_get.filter(|f| f.desc().is_none()) {
            Some(f) => cx.call_function(f, Some(object), Some(class), &[index]),
            None => dim_read(cx, object, Some(&index)),
        }
    }
    fn key(&self, _cx: &mut Cx) -> Res<Value> {
        Ok(Value::from(self.at.get()))
    }
    fn next(&self, _cx: &mut Cx) -> Res<()> {
        self.at.set(self.at.get() + 1);
        Ok(())
    }
}
