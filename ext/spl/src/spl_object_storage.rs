//! SplObjectStorage: a set of objects, each with a value of its own.

use crate::support::{self, debug_table, overridden};
use jumbo_abi::{ClassHooks, ClassPtr, Cx, Key, PArray, PObject, PStr, Res, Value};
use jumbo_ext_misc::serialize::Serializer;
use jumbo_value::Native;
use std::cell::{Cell, RefCell};

/// Objects and their values by hash: the object's number, or what an overridden getHash says. Both have the same keys in the same order.
#[derive(Default)]
pub(crate) struct Storage {
    objects: RefCell<PArray>,
    infos: RefCell<PArray>,
    /// Position in `objects`, and its number as key() gives it.
    at: Cell<u32>,
    index: Cell<i64>,
}

impl Native for Storage {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.objects.borrow().values().for_each(&mut *visit);
        self.infos.borrow().values().for_each(visit);
    }
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        let copy = Storage::default();
        drop(copy.objects.replace(self.objects.borrow().clone()));
        drop(copy.infos.replace(self.infos.borrow().clone()));
        Some(Box::new(copy))
    }
    fn clear(&mut self) {
        drop(self.objects.take());
        drop(self.infos.take());
    }
}

pub static HOOKS: ClassHooks =
    ClassHooks { create: Some(create), compare: Some(compare), dim_read: Some(dim_read), ..ClassHooks::NONE };

pub(crate) fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(Storage::default()));
    Ok(())
}

pub(crate) fn storage<'o>(cx: &mut Cx, this: &'o PObject) -> Res<&'o Storage> {
    match this.native::<Storage>() {
        Some(storage) => Ok(storage),
        None => Err(cx.throw_error("The storage has not been initialized")),
    }
}

impl Storage {
    pub fn len(&self) -> usize {
        self.objects.borrow().len()
    }
    pub fn insert(&self, key: &Key, object: &PObject, info: Value) {
        let old = {
            let mut objects = self.objects.borrow_mut();
            if objects.get(key).is_none() {
                objects.set(key.clone(), Value::from(object.clone()));
            }
            self.infos.borrow_mut().with_slot(key, |slot| std::mem::replace(slot, info))
        };
        drop(old);
    }
    /// False: it was not there.
    pub fn remove(&self, key: &Key) -> bool {
        let object = self.objects.borrow_mut().remove(key);
        let info = self.infos.borrow_mut().remove(key);
        let there = object.is_some();
        drop((object, info));
        there
    }
    pub fn contains(&self, key: &Key) -> bool {
        self.objects.borrow().contains(key)
    }
    pub fn info(&self, key: &Key) -> Option<Value> {
        self.infos.borrow().get(key).map(Value::copy_deref)
    }
    /// All objects with their values.
    pub fn entries(&self) -> Vec<(Key, PObject, Value)> {
        let (objects, infos) = (self.objects.borrow().clone(), self.infos.borrow().clone());
        let entry = |(key, object): (jumbo_abi::KeyRef<'_>, &Value)| {
            let info = infos.get_ref(key).cloned().unwrap_or_default();
            Some((key.to_key(), object.as_object()?.clone(), info))
        };
        objects.iter().filter_map(entry).collect()
    }
    fn key_at(&self) -> Option<Key> {
        let objects = self.objects.borrow();
        objects.seek(self.at.get()).and_then(|at| objects.at(at).map(|(key, _)| key.to_key()))
    }
    fn rewind(&self) {
        self.at.set(0);
        self.index.set(0);
    }
    fn advance(&self) {
        let at = self.objects.borrow().seek(self.at.get());
        if let Some(at) = at {
            self.at.set(at.saturating_add(1));
            self.index.set(self.index.get() + 1);
        }
    }
    /// As var_dump shows it.
    pub fn shown(&self) -> PArray {
        let pairs = self.entries().into_iter().map(|(_, object, info)| {
            let mut pair = PArray::with_hash_capacity(2);
            pair.set_bytes(b"obj", object);
            pair.set_bytes(b"inf", info);
            Value::from(pair)
        });
        pairs.collect()
    }
}

/// The hash of an object: its number, unless getHash is overridden.
fn hash(cx: &mut Cx, this: &PObject, object: &PObject) -> Res<Key> {
    let class = ClassPtr::of(this);
    if !overridden(class, b"gethash") {
        return Ok(Key::Int(i64::from(object.id())));
    }
    let answer = cx.call_method(this, b"gethash", &[Value::from(object.clone())])?;
    match answer.deref().as_str() {
        Some(s) => Ok(Key::Str(s.clone())),
        None => {
            let kind = jumbo_abi::args::type_name(&answer);
            let text = [class.name.as_bytes(), b"::getHash(): Return value must be of type string, ", &kind, b" returned"].concat();
            Err(cx.type_error(text))
        }
    }
}

/// The object that an offset must be.
fn offset(cx: &mut Cx, value: &Value) -> Res<PObject> {
    match value.deref().as_object() {
        Some(object) => Ok(object.clone()),
        None => Err(cx.arg_type_error(1, [b"must be of type object, ".as_slice(), &jumbo_abi::args::type_name(value), b" given"].concat())),
    }
}

fn compare(cx: &mut Cx, a: &PObject, b: &PObject) -> Res<Option<i32>> {
    let (Some(x), Some(y)) = (a.native::<Storage>(), b.native::<Storage>()) else { return Ok(None) };
    if x.len() != y.len() {
        return Ok(Some(if x.len() < y.len() { -1 } else { 1 }));
    }
    for (key, _, info) in x.entries() {
        let Some(other) = y.info(&key) else { return Ok(None) };
        let order = cx.compare(&info, &other)?;
        if order != 0 {
            return Ok(Some(order));
        }
    }
    let (own_a, own_b) = (support::members(cx, a)?, support::members(cx, b)?);
    cx.compare(&Value::from(own_a), &Value::from(own_b)).map(Some)
}

pub fn attach(cx: &mut Cx, this: &PObject, object: &PObject, info: Option<&Value>) -> Res<()> {
    let key = hash(cx, this, object)?;
    storage(cx, this)?.insert(&key, object, info.map(Value::copy_deref).unwrap_or_default());
    Ok(())
}

pub fn detach(cx: &mut Cx, this: &PObject, object: &PObject) -> Res<()> {
    let key = hash(cx, this, object)?;
    let storage = storage(cx, this)?;
    storage.remove(&key);
    storage.rewind();
    Ok(())
}

pub fn contains(cx: &mut Cx, this: &PObject, object: &PObject) -> Res<bool> {
    let key = hash(cx, this, object)?;
    Ok(storage(cx, this)?.contains(&key))
}

pub fn offset_exists(cx: &mut Cx, this: &PObject, object: &Value) -> Res<bool> {
    let object = offset(cx, object)?;
    contains(cx, this, &object)
}

pub fn offset_get(cx: &mut Cx, this: &PObject, object: &Value) -> Res<Value> {
    let object = offset(cx, object)?;
    let key = hash(cx, this, &object)?;
    match storage(cx, this)?.info(&key) {
        Some(info) => Ok(info),
        None => Err(cx.throw("UnexpectedValueException", "Object not found")),
    }
}

/// `$storage[$object]` is no call of a method, which traces would show, unless something in it is the program's or wrong.
fn dim_read(cx: &mut Cx, this: &PObject, offset: Option<&Value>) -> Res<Value> {
    match offset.map(Value::deref) {
        Some(value) if value.is_object() && !overridden(ClassPtr::of(this), b"gethash") => offset_get(cx, this, value),
        value => cx.call_method(this, b"offsetget", &[value.map_or(Value::null(), Value::copy_deref)]).map(Value::into_deref),
    }
}

pub fn offset_set(cx: &mut Cx, this: &PObject, object: &Value, info: Option<&Value>) -> Res<()> {
    let object = offset(cx, object)?;
    attach(cx, this, &object, info)
}

pub fn offset_unset(cx: &mut Cx, this: &PObject, object: &Value) -> Res<()> {
    let object = offset(cx, object)?;
    detach(cx, this, &object)
}

/// The objects of another storage, held.
fn others(cx: &mut Cx, other: &PObject) -> Res<Vec<(PObject, Value)>> {
    Ok(storage(cx, other)?.entries().into_iter().map(|(_, object, info)| (object, info)).collect())
}

pub fn add_all(cx: &mut Cx, this: &PObject, other: &PObject) -> Res<i64> {
    for (object, info) in others(cx, other)? {
        attach(cx, this, &object, Some(&info))?;
    }
    Ok(storage(cx, this)?.len() as i64)
}

pub fn remove_all(cx: &mut Cx, this: &PObject, other: &PObject) -> Res<i64> {
    for (object, _) in others(cx, other)? {
        let key = hash(cx, this, &object)?;
        storage(cx, this)?.remove(&key);
    }
    let storage = storage(cx, this)?;
    storage.rewind();
    Ok(storage.len() as i64)
}

pub fn remove_all_except(cx: &mut Cx, this: &PObject, other: &PObject) -> Res<i64> {
    for (object, _) in others(cx, this)? {
        if !contains(cx, other, &object)? {
            let key = hash(cx, this, &object)?;
            storage(cx, this)?.remove(&key);
        }
    }
    let storage = storage(cx, this)?;
    storage.rewind();
    Ok(storage.len() as i64)
}

pub fn get_info(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let storage = storage(cx, this)?;
    Ok(storage.key_at().and_then(|key| storage.info(&key)).unwrap_or_default())
}

pub fn set_info(cx: &mut Cx, this: &PObject, info: &Value) -> Res<()> {
    let storage = storage(cx, this)?;
    if let Some(key) = storage.key_at() {
        let old = storage.infos.borrow_mut().with_slot(&key, |slot| std::mem::replace(slot, info.copy_deref()));
        drop(old);
    }
    Ok(())
}

/// The objects, whatever the mode is.
pub fn count(cx: &mut Cx, this: &PObject, _mode: i64) -> Res<i64> {
    Ok(storage(cx, this)?.len() as i64)
}

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    storage(cx, this)?.rewind();
    Ok(())
}

pub fn valid(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(storage(cx, this)?.key_at().is_some())
}

pub fn key(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(storage(cx, this)?.index.get())
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let storage = storage(cx, this)?;
    let object = storage.key_at().and_then(|key| storage.objects.borrow().get(&key).cloned());
    object.ok_or_else(|| cx.throw("RuntimeException", "Called current() on invalid iterator"))
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    storage(cx, this)?.advance();
    Ok(())
}

pub fn seek(cx: &mut Cx, this: &PObject, offset: i64) -> Res<()> {
    let storage = storage(cx, this)?;
    if offset < 0 || offset >= storage.len() as i64 {
        return Err(cx.throw("OutOfBoundsException", format!("Seek position {offset} is out of range")));
    }
    storage.rewind();
    for _ in 0..offset {
        storage.advance();
    }
    Ok(())
}

pub fn get_hash(_cx: &mut Cx, _this: &PObject, object: &PObject) -> PStr {
    PStr::new(format!("{:032x}", object.id()).as_bytes())
}

// ---- serialisation

pub fn __serialize(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let mut pairs = PArray::new();
    for (_, object, info) in storage(cx, this)?.entries() {
        pairs.append(object);
        pairs.append(info);
    }
    let members = support::members(cx, this)?;
    Ok(PArray::from_values([Value::from(pairs), Value::from(members)]))
}

pub fn __unserialize(cx: &mut Cx, this: &PObject, data: &PArray) -> Res<()> {
    let item = |n| data.get_int(n).map(Value::copy_deref).unwrap_or_default();
    let (pairs, members) = (item(0), item(1));
    let (Some(pairs), Some(members)) = (pairs.as_array(), members.as_array()) else {
        return Err(cx.throw("UnexpectedValueException", "Incomplete or ill-typed serialization data"));
    };
    if data.len() != 2 {
        return Err(cx.throw("UnexpectedValueException", "Incomplete or ill-typed serialization data"));
    }
    if pairs.len() % 2 != 0 {
        return Err(cx.throw("UnexpectedValueException", "Odd number of elements"));
    }
    let values: Vec<Value> = pairs.values().map(Value::copy_deref).collect();
    for pair in values.chunks_exact(2) {
        let Some(object) = pair[0].as_object() else {
            return Err(cx.throw("UnexpectedValueException", "Non-object key"));
        };
        attach(cx, this, object, Some(&pair[1]))?;
    }
    support::set_members(cx, this, members)
}

pub fn serialize(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let entries = storage(cx, this)?.entries();
    let mut out = Serializer::default();
    out.raw(b"x:")?;
    out.write(cx, &Value::from(entries.len() as i64))?;
    for (_, object, info) in entries {
        out.write(cx, &Value::from(object))?;
        out.raw(b",")?;
        out.write(cx, &info)?;
        out.raw(b";")?;
    }
    let members = support::members(cx, this)?;
    out.raw(b"m:")?;
    out.write(cx, &Value::from(members))?;
    Ok(out.finish())
}

pub fn unserialize(cx: &mut Cx, this: &PObject, data: &PStr) -> Res<()> {
    if data.is_empty() {
        return Ok(());
    }
    let mut data = support::Data::new(cx, data.as_bytes())?;
    data.expect(cx, b"x:")?;
    let Some(count) = data.value(cx)?.as_int().filter(|n| *n >= 0) else { return Err(data.error(cx)) };
    for _ in 0..count {
        if !matches!(data.peek(), Some(b'O' | b'C' | b'r')) {
            return Err(data.error(cx));
        }
        let object = data.value(cx)?;
        let Some(object) = object.as_object() else { return Err(data.error(cx)) };
        let info = if data.take(b",") { data.value(cx)? } else { Value::null() };
        attach(cx, this, object, Some(&info))?;
        data.expect(cx, b";")?;
    }
    data.members(cx, this)
}

pub fn __debug_info(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let shown = storage(cx, this)?.shown();
    debug_table(cx, this, "SplObjectStorage", &[("storage", Value::from(shown))])
}
