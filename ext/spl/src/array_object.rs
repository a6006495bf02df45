//! ArrayObject and ArrayIterator: an array, or the properties of an object, behind an object.
//!
//! The storage is an array of its own, another ArrayObject or ArrayIterator (whose storage is then meant: an iterator of an ArrayObject sees
//! its changes), the properties of any other object, or those of the object itself.
//!
//! Hazards: the storage is looked up anew for each access, and no borrow of it outlives one. What PHP code can run (sort callbacks, error
//! handlers) may change it at any time.

use crate::support::{self, OffsetUse, debug_table, offset_key, undefined_key};
use jumbo_abi::class_flags;
use jumbo_abi::desc::{NativeIterator, Purpose};
use jumbo_abi::{ClassHooks, ClassPtr, Cx, Key, KeyRef, PArray, PObject, PRef, PStr, Res, Stop, Value, View, member_flags};
use jumbo_ext_misc::serialize::Serializer;
use jumbo_value::Native;
use std::cell::{Cell, RefCell};

pub const STD_PROP_LIST: i64 = 1;
pub const ARRAY_AS_PROPS: i64 = 2;
pub const CHILD_ARRAYS_ONLY: i64 = 4;
/// The storage are the properties of the object itself, as serialised flags say it.
const IS_SELF: i64 = 0x0100_0000;
/// Flags that PHP code cannot set.
const INTERNAL_FLAGS: i64 = 0xffff_0000;

pub(crate) struct State {
    /// Array, object, or undefined: the properties of the object itself.
    storage: RefCell<Value>,
    flags: Cell<i64>,
    /// None: ArrayIterator.
    iterator_class: Cell<Option<ClassPtr>>,
    /// Where the iteration stands, and the key that was there: growth of an array with holes moves elements.
    at: Cell<u32>,
    key: RefCell<Option<Key>>,
    /// Sorts that run now.
    sorting: Cell<u32>,
}

impl State {
    fn new() -> State {
        State {
            storage: RefCell::new(Value::empty_array()),
            flags: Cell::new(0),
            iterator_class: Cell::new(None),
            at: Cell::new(0),
            key: RefCell::new(None),
            sorting: Cell::new(0),
        }
    }
}

impl Native for State {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.storage.borrow());
    }
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        let state = State::new();
        state.flags.set(self.flags.get());
        state.iterator_class.set(self.iterator_class.get());
        Some(Box::new(state))
    }
    fn clear(&mut self) {
        drop(self.storage.replace(Value::empty_array()));
    }
}

pub static HOOKS: ClassHooks = ClassHooks {
    create: Some(create),
    after_clone: Some(after_clone),
    compare: Some(compare),
    dim_read: Some(dim_read),
    dim_read_quiet: Some(dim_read_quiet),
    dim_write: Some(dim_write),
    dim_has: Some(dim_has),
    dim_unset: Some(dim_unset),
    dim_place: Some(dim_place),
    dim_bind: Some(dim_bind),
    properties: Some(properties),
    prop_read: Some(prop_read),
    prop_write: Some(prop_write),
    prop_has: Some(prop_has),
    prop_exists: Some(|cx, this, name| if as_props(this) { offset_exists(cx, this, &Value::bytes(name)).map(Some) } else { Ok(None) }),
    prop_unset: Some(prop_unset),
    prop_plain: Some(|this| !as_props(this)),
    prop_place: Some(prop_place),
    prop_bind: Some(prop_bind),
    ..ClassHooks::NONE
};

pub static ITERATOR_HOOKS: ClassHooks = ClassHooks {
    create: Some(create),
    after_clone: Some(after_clone),
    compare: Some(compare),
    dim_read: Some(dim_read),
    dim_read_quiet: Some(dim_read_quiet),
    dim_write: Some(dim_write),
    dim_has: Some(dim_has),
    dim_unset: Some(dim_unset),
    dim_place: Some(dim_place),
    dim_bind: Some(dim_bind),
    properties: Some(properties),
    prop_read: Some(prop_read),
    prop_write: Some(prop_write),
    prop_has: Some(prop_has),
    prop_unset: Some(prop_unset),
    prop_plain: Some(|this| !as_props(this)),
    prop_place: Some(prop_place),
    prop_bind: Some(prop_bind),
    iterate: Some(iterate),
    ..ClassHooks::NONE
};

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State::new()));
    Ok(())
}

/// A clone of an ArrayObject has its own copy of the elements; one of an ArrayIterator goes over the same storage.
fn after_clone(_cx: &mut Cx, old: &PObject, new: &PObject) -> Res<()> {
    let (Some(from), Some(to)) = (old.native::<State>(), new.native::<State>()) else { return Ok(()) };
    let own = from.storage.borrow().is_undef();
    let storage = if own {
        Value::undef()
    } else if ClassPtr::of(old).hooks.iterate.is_some() {
        Value::from(old.clone())
    } else {
        Value::from(copy(&target(old)))
    };
    drop(to.storage.replace(storage));
    Ok(())
}

/// The state, which `create` attached.
pub(crate) fn state<'o>(cx: &mut Cx, this: &'o PObject) -> Res<&'o State> {
    match this.native::<State>() {
        Some(state) => Ok(state),
        None => Err(cx.throw_error("The object is in an invalid state as the parent constructor was not called")),
    }
}

fn flags(this: &PObject) -> i64 {
    this.native::<State>().map_or(0, |s| s.flags.get())
}

/// Where the elements are.
enum Target {
    /// In the storage of this object.
    Array(PObject),
    /// In the properties of this object.
    Properties(PObject),
}

fn target(this: &PObject) -> Target {
    let mut object = this.clone();
    // A cycle of storages cannot be built through the constructor; a bound keeps a broken one from hanging.
    for _ in 0..10_000 {
        let next = match object.native::<State>() {
            None => None,
            Some(state) => match state.storage.borrow().view() {
                View::Object(o) => Some(o.clone()),
                View::Undef => return Target::Properties(object.clone()),
                _ => return Target::Array(object.clone()),
            },
        };
        match next {
            None => break,
            Some(next) => object = next,
        }
    }
    Target::Properties(object)
}

/// The name of the class, which messages name.
fn container(this: &PObject) -> &[u8] {
    ClassPtr::of(this).get().name.as_bytes()
}

/// The slot of a public property; mangled names of others mean nothing here.
fn public_slot(object: &PObject, name: &[u8]) -> Option<u32> {
    let p = ClassPtr::of(object).properties.get(name).map(|p| (p.slot, p.flags, p.is_virtual()))?;
    (p.1 & member_flags::VISIBILITY & (member_flags::PRIVATE | member_flags::PROTECTED) == 0 && !p.2).then_some(p.0)
}

fn is_typed(object: &PObject, name: &[u8]) -> bool {
    ClassPtr::of(object).properties.get(name).is_some_and(|p| p.ty.is_some())
}

fn get(target: &Target, key: &Key) -> Option<Value> {
    match target {
        Target::Array(owner) => owner.native::<State>()?.storage.borrow().as_array()?.get(key).cloned(),
        Target::Properties(object) => {
            if let Key::Str(name) = key
                && let Some(slot) = public_slot(object, name.as_bytes())
            {
                return Some(object.slot(slot)).filter(|v| !v.is_undef());
            }
            object.dynamic()?.get(key).cloned()
        }
    }
}

/// Runs `f` on the array in the storage, separated.
fn with_array<R: Default>(owner: &PObject, f: impl FnOnce(&mut PArray) -> R) -> R {
    let Some(state) = owner.native::<State>() else { return R::default() };
    let mut storage = state.storage.borrow_mut();
    match storage.as_array_mut() {
        Some(mut array) => f(&mut array),
        None => R::default(),
    }
}

/// Sets an element. A reference that stands there is replaced, but for that of a typed property.
fn set(cx: &mut Cx, target: &Target, key: &Key, value: Value) -> Res<()> {
    let assign = |slot: &mut Value| std::mem::replace(slot, value.clone());
    let old = match target {
        Target::Array(owner) => with_array(owner, |array| array.with_slot(key, assign)),
        Target::Properties(object) => {
            if let Key::Str(name) = key
                && let Some(slot) = public_slot(object, name.as_bytes())
            {
                // Past the hooks: the slot itself is the element.
                if is_typed(object, name.as_bytes()) {
                    let class = ClassPtr::of(object);
                    return cx.engine().set_raw_property(cx, object, class, name, value);
                }
                object.set_slot(slot, value);
                return Ok(());
            }
            object.update_dynamic(|table| table.with_slot(key, assign))
        }
    };
    drop(old);
    Ok(())
}

fn append_to(cx: &mut Cx, target: &Target, value: Value) -> Res<()> {
    let pushed = match target {
        Target::Array(owner) => with_array(owner, |array| Some(array.push(value).is_ok())).unwrap_or(true),
        Target::Properties(object) => object.update_dynamic(|table| table.push(value).is_ok()),
    };
    if pushed { Ok(()) } else { Err(cx.throw_error("Cannot add element to the array as the next element is already occupied")) }
}

fn remove(cx: &mut Cx, target: &Target, key: &Key) -> Res<()> {
    let old = match target {
        Target::Array(owner) => with_array(owner, |array| array.remove(key)),
        Target::Properties(object) => {
            if let Key::Str(name) = key
                && public_slot(object, name.as_bytes()).is_some()
            {
                let class = ClassPtr::of(object);
                return cx.engine().unset_property(cx, object, name, Some(class));
            }
            if object.has_dynamic() { object.update_dynamic(|table| table.remove(key)) } else { None }
        }
    };
    drop(old);
    Ok(())
}

/// A reference to an element, made as null when it is not there.
fn reference(target: &Target, key: &Key) -> Option<PRef> {
    match target {
        Target::Array(owner) => with_array(owner, |array| Some(array.with_slot(key, Value::make_ref))),
        Target::Properties(object) => {
            if let Key::Str(name) = key
                && let Some(slot) = public_slot(object, name.as_bytes())
            {
                let mut value = object.slot(slot);
                let reference = value.make_ref();
                object.set_slot(slot, value);
                return Some(reference);
            }
            Some(object.update_dynamic(|table| table.with_slot(key, Value::make_ref)))
        }
    }
}

/// All elements, mangled names of properties included.
fn copy(target: &Target) -> PArray {
    match target {
        Target::Array(owner) => {
            owner.native::<State>().and_then(|s| s.storage.borrow().as_array().cloned()).unwrap_or_default()
        }
        Target::Properties(object) => {
            let class = ClassPtr::of(object);
            let mut table = PArray::new();
            for (n, slot) in class.slots.iter().enumerate() {
                let value = object.slot(n as u32);
                if value.is_undef() {
                    continue;
                }
                let name = match slot.flags & member_flags::VISIBILITY {
                    member_flags::PRIVATE => PStr::concat(&[b"\0", slot.class.name.as_bytes(), b"\0", slot.name.as_bytes()]),
                    member_flags::PROTECTED => PStr::concat(&[b"\0*\0", slot.name.as_bytes()]),
                    _ => slot.name.clone(),
                };
                table.set(Key::from_str(&name), value);
            }
            for (key, value) in object.dynamic().iter().flatten() {
                table.set(key.to_key(), value.clone());
            }
            table
        }
    }
}

// ---- positions

/// The first live position from `at` on, with key and value.
fn element(target: &Target, at: u32) -> Option<(u32, Key, Value)> {
    let live = |array: &PArray, at: u32| {
        let at = array.seek(at)?;
        array.at(at).map(|(key, value)| (at, key.to_key(), value.clone()))
    };
    match target {
        Target::Array(owner) => live(owner.native::<State>()?.storage.borrow().as_array()?, at),
        Target::Properties(object) => {
            let class = ClassPtr::of(object);
            let slots = class.slots.len() as u32;
            for n in at..slots {
                let Some(slot) = class.slots.get(n as usize) else { break };
                let value = object.slot(n);
                if !value.is_undef() && public_slot(object, slot.name.as_bytes()) == Some(n) {
                    return Some((n, Key::Str(slot.name.clone()), value));
                }
            }
            let table = object.dynamic()?;
            let mut from = at.max(slots) - slots;
            loop {
                let (n, key, value) = live(&table, from)?;
                let hidden = matches!(&key, Key::Str(s) if s.as_bytes().first() == Some(&0));
                if !hidden {
                    return Some((n.checked_add(slots)?, key, value));
                }
                from = n.checked_add(1)?;
            }
        }
    }
}

/// The element where the iteration of `this` stands.
fn current_element(this: &PObject) -> Option<(u32, Key, Value)> {
    let state = this.native::<State>()?;
    let target = target(this);
    let at = state.at.get();
    let found = element(&target, at);
    let wanted = state.key.borrow().clone();
    match (&found, &wanted) {
        // Another key at a live place: growth has closed the holes before it.
        (Some((n, key, _)), Some(wanted)) if *n == at && key != wanted => {
            let mut from = 0;
            while let Some((n, key, value)) = element(&target, from) {
                if key == *wanted {
                    state.at.set(n);
                    return Some((n, key, value));
                }
                from = n.checked_add(1)?;
            }
            found
        }
        _ => found,
    }
}

fn move_to(this: &PObject, at: u32) {
    let Some(state) = this.native::<State>() else { return };
    let found = element(&target(this), at);
    state.at.set(found.as_ref().map_or(at, |f| f.0));
    *state.key.borrow_mut() = found.map(|f| f.1);
}

pub fn rewind(_cx: &mut Cx, this: &PObject) {
    move_to(this, 0);
}

pub fn valid(_cx: &mut Cx, this: &PObject) -> bool {
    current_element(this).is_some()
}

pub fn current(_cx: &mut Cx, this: &PObject) -> Value {
    current_element(this).map_or(Value::null(), |(_, _, value)| value.into_deref())
}

pub fn key(_cx: &mut Cx, this: &PObject) -> Value {
    match current_element(this) {
        // The names of an object's properties are strings, whatever they look like.
        Some((_, key, _)) if !matches!(target(this), Target::Array(_)) => Value::from(key.as_ref().to_str()),
        Some((_, key, _)) => key.to_value(),
        None => Value::null(),
    }
}

pub fn next(_cx: &mut Cx, this: &PObject) {
    if let Some((at, ..)) = current_element(this) {
        move_to(this, at.saturating_add(1));
    }
}

pub fn seek(cx: &mut Cx, this: &PObject, offset: i64) -> Res<()> {
    let len = count(cx, this);
    if (0..len).contains(&offset) {
        move_to(this, 0);
        for _ in 0..offset {
            next(cx, this);
        }
        if valid(cx, this) {
            return Ok(());
        }
    }
    Err(cx.throw("OutOfBoundsException", format!("Seek position {offset} is out of range")))
}

/// `foreach` over an ArrayIterator: its own position moves.
struct Walk {
    object: Value,
    by_ref: bool,
}

impl Native for Walk {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.object);
    }
    fn clear(&mut self) {
        drop(self.object.take());
    }
}

fn iterate(_cx: &mut Cx, this: &PObject, by_ref: bool) -> Res<Box<dyn NativeIterator>> {
    Ok(Box::new(Walk { object: Value::from(this.clone()), by_ref }))
}

impl NativeIterator for Walk {
    fn rewind(&self, cx: &mut Cx) -> Res<()> {
        if let Some(o) = self.object.as_object() {
            rewind(cx, o);
        }
        Ok(())
    }
    fn valid(&self, cx: &mut Cx) -> Res<bool> {
        Ok(self.object.as_object().is_some_and(|o| valid(cx, o)))
    }
    fn current(&self, cx: &mut Cx) -> Res<Value> {
        let Some(object) = self.object.as_object() else { return Ok(Value::null()) };
        let Some((_, key, value)) = current_element(object) else { return Ok(Value::null()) };
        if !self.by_ref {
            return Ok(value.into_deref());
        }
        match (target(object), &key) {
            (Target::Properties(of), Key::Str(name)) if public_slot(&of, name.as_bytes()).is_some() => {
                let class = ClassPtr::of(&of);
                cx.engine().property_reference(cx, &of, name, Some(class))
            }
            (target, key) => Ok(reference(&target, key).map_or(value.into_deref(), Value::from)),
        }
    }
    fn key(&self, cx: &mut Cx) -> Res<Value> {
        Ok(self.object.as_object().map_or(Value::null(), |o| key(cx, o)))
    }
    fn next(&self, cx: &mut Cx) -> Res<()> {
        if let Some(o) = self.object.as_object() {
            next(cx, o);
        }
        Ok(())
    }
}

// ---- offsets

fn modifiable(cx: &mut Cx, this: &PObject) -> Res<()> {
    let mut object = Some(this.clone());
    while let Some(o) = object {
        let Some(state) = o.native::<State>() else { break };
        if state.sorting.get() > 0 {
            return Err(cx.throw_error("Modification of ArrayObject during sorting is prohibited"));
        }
        object = state.storage.borrow().as_object().cloned();
    }
    Ok(())
}

fn dim_read(cx: &mut Cx, this: &PObject, offset: Option<&Value>) -> Res<Value> {
    // `$object[] op= …` begins with null.
    let Some(offset) = offset else { return Ok(Value::null()) };
    let key = offset_key(cx, offset, OffsetUse::Access, container(this))?;
    match get(&target(this), &key) {
        Some(value) => Ok(value.into_deref()),
        None => {
            undefined_key(cx, &key)?;
            Ok(Value::null())
        }
    }
}

fn dim_read_quiet(cx: &mut Cx, this: &PObject, offset: &Value) -> Res<Value> {
    let key = offset_key(cx, offset, OffsetUse::Isset, container(this))?;
    Ok(get(&target(this), &key).map_or(Value::null(), Value::into_deref))
}

fn dim_place(cx: &mut Cx, this: &PObject, offset: Option<&Value>, creates: bool) -> Res<Option<Value>> {
    modifiable(cx, this)?;
    let target = target(this);
    let key = match offset {
        Some(offset) => offset_key(cx, offset, OffsetUse::Access, container(this))?,
        // A place for a new element is none of this container.
        None => return Ok(Some(Value::null())),
    };
    if !creates && get(&target, &key).is_none() {
        return Ok(Some(Value::null()));
    }
    Ok(reference(&target, &key).map(Value::from))
}

/// A typed property takes no reference here: nothing would tell it what may be assigned.
fn dim_bind(cx: &mut Cx, this: &PObject, offset: &Value, reference: &PRef) -> Res<()> {
    modifiable(cx, this)?;
    let target = target(this);
    let key = offset_key(cx, offset, OffsetUse::Access, container(this))?;
    if let (Target::Properties(object), Key::Str(name)) = (&target, &key)
        && is_typed(object, name.as_bytes())
    {
        return Err(cx.throw_error("Cannot assign by reference to an array dimension of an object"));
    }
    set(cx, &target, &key, Value::from(reference.clone()))
}

fn dim_write(cx: &mut Cx, this: &PObject, offset: Option<&Value>, value: &Value) -> Res<()> {
    modifiable(cx, this)?;
    let value = value.copy_deref();
    match offset {
        Some(offset) if !offset.deref().is_null() => {
            let key = offset_key(cx, offset, OffsetUse::Access, container(this))?;
            set(cx, &target(this), &key, value)
        }
        // A null offset appends, too.
        _ => append_to(cx, &target(this), value),
    }
}

fn dim_has(cx: &mut Cx, this: &PObject, offset: &Value, empty: bool) -> Res<bool> {
    let key = offset_key(cx, offset, OffsetUse::Isset, container(this))?;
    let Some(value) = get(&target(this), &key) else { return Ok(false) };
    if !empty {
        return Ok(!value.deref().is_null());
    }
    // An overridden offsetGet decides about emptiness.
    let class = ClassPtr::of(this);
    let value = match class.magic.offset_get {
        Some(f) if f.desc().is_none() => cx.call_function(f, Some(this), Some(class), &[offset.copy_deref()])?,
        _ => value,
    };
    support::truth(cx, &value)
}

fn dim_unset(cx: &mut Cx, this: &PObject, offset: &Value) -> Res<()> {
    modifiable(cx, this)?;
    let key = offset_key(cx, offset, OffsetUse::Unset, container(this))?;
    remove(cx, &target(this), &key)
}

pub fn offset_exists(cx: &mut Cx, this: &PObject, key: &Value) -> Res<bool> {
    let key = offset_key(cx, key, OffsetUse::Isset, container(this))?;
    // Unlike isset(), the method says yes to null.
    Ok(get(&target(this), &key).is_some())
}

pub fn offset_get(cx: &mut Cx, this: &PObject, key: &Value) -> Res<Value> {
    dim_read(cx, this, Some(key))
}

pub fn offset_set(cx: &mut Cx, this: &PObject, key: &Value, value: &Value) -> Res<()> {
    dim_write(cx, this, (!key.deref().is_null()).then_some(key), value)
}

pub fn offset_unset(cx: &mut Cx, this: &PObject, key: &Value) -> Res<()> {
    dim_unset(cx, this, key)
}

pub fn append(cx: &mut Cx, this: &PObject, value: &Value) -> Res<()> {
    if matches!(target(this), Target::Properties(_)) {
        let class = ClassPtr::of(this);
        let text = [b"Cannot append properties to objects, use ".as_slice(), class.name.as_bytes(), b"::offsetSet() instead"].concat();
        return Err(cx.throw_error(text));
    }
    modifiable(cx, this)?;
    // An overridden offsetSet is called, as for `$a[] = …`.
    let class = ClassPtr::of(this);
    match class.magic.offset_set {
        Some(f) if f.desc().is_none() => {
            cx.call_function(f, Some(this), Some(class), &[Value::null(), value.copy_deref()]).map(drop)
        }
        _ => append_to(cx, &target(this), value.copy_deref()),
    }
}

// ---- properties that are elements

fn as_props(this: &PObject) -> bool {
    flags(this) & ARRAY_AS_PROPS != 0
}

fn prop_read(cx: &mut Cx, this: &PObject, name: &[u8]) -> Res<Option<Value>> {
    if !as_props(this) {
        return Ok(None);
    }
    let name = Value::bytes(name);
    let class = ClassPtr::of(this);
    if let Some(f) = class.magic.offset_get.filter(|f| f.desc().is_none()) {
        return cx.call_function(f, Some(this), Some(class), &[name]).map(|v| Some(v.into_deref()));
    }
    dim_read(cx, this, Some(&name)).map(Some)
}

fn prop_write(cx: &mut Cx, this: &PObject, name: &[u8], value: &Value) -> Res<bool> {
    if !as_props(this) {
        return Ok(false);
    }
    let name = Value::bytes(name);
    let class = ClassPtr::of(this);
    match class.magic.offset_set.filter(|f| f.desc().is_none()) {
        Some(f) => cx.call_function(f, Some(this), Some(class), &[name, value.copy_deref()]).map(drop)?,
        None => dim_write(cx, this, Some(&name), value)?,
    }
    Ok(true)
}

fn prop_has(cx: &mut Cx, this: &PObject, name: &[u8], empty: bool) -> Res<Option<bool>> {
    if !as_props(this) {
        return Ok(None);
    }
    dim_has(cx, this, &Value::bytes(name), empty).map(Some)
}

fn prop_unset(cx: &mut Cx, this: &PObject, name: &[u8]) -> Res<bool> {
    if !as_props(this) {
        return Ok(false);
    }
    dim_unset(cx, this, &Value::bytes(name))?;
    Ok(true)
}

fn prop_place(cx: &mut Cx, this: &PObject, name: &[u8]) -> Res<Option<Value>> {
    if !as_props(this) {
        return Ok(None);
    }
    if !ClassPtr::of(this).reads_offsets_natively() {
        return prop_read(cx, this, name);
    }
    dim_place(cx, this, Some(&Value::bytes(name)), true)
}

fn prop_bind(cx: &mut Cx, this: &PObject, name: &[u8], reference: &PRef) -> Res<bool> {
    if !as_props(this) || !ClassPtr::of(this).reads_offsets_natively() {
        return Ok(false);
    }
    dim_bind(cx, this, &Value::bytes(name), reference)?;
    Ok(true)
}

// ---- the whole

/// Casts and exports show the elements, unless STD_PROP_LIST asks for the properties.
fn properties(_cx: &mut Cx, this: &PObject, purpose: Purpose) -> Res<Option<PArray>> {
    let own = this.native::<State>().is_some_and(|s| s.storage.borrow().is_undef());
    if own || flags(this) & STD_PROP_LIST != 0 || matches!(purpose, Purpose::Debug | Purpose::Serialize | Purpose::Vars) {
        return Ok(None);
    }
    Ok(Some(copy(&target(this))))
}

fn compare(cx: &mut Cx, a: &PObject, b: &PObject) -> Res<Option<i32>> {
    if a.native::<State>().is_none() || b.native::<State>().is_none() {
        return Ok(None);
    }
    let order = cx.compare(&Value::from(copy(&target(a))), &Value::from(copy(&target(b))))?;
    if order != 0 {
        return Ok(Some(order));
    }
    let (own_a, own_b) = (support::members(cx, a)?, support::members(cx, b)?);
    cx.compare(&Value::from(own_a), &Value::from(own_b)).map(Some)
}

pub fn count(_cx: &mut Cx, this: &PObject) -> i64 {
    match target(this) {
        Target::Array(owner) => owner.native::<State>().and_then(|s| s.storage.borrow().as_array().map(PArray::len)).unwrap_or(0) as i64,
        target => {
            let (mut n, mut from) = (0, 0);
            while let Some((at, ..)) = element(&target, from) {
                n += 1;
                from = at.saturating_add(1);
            }
            n
        }
    }
}

/// Puts a new storage in place of the old one.
fn set_storage(cx: &mut Cx, this: &PObject, array: &Value, take_flags: bool) -> Res<()> {
    let state = state(cx, this)?;
    if state.sorting.get() > 0 {
        return Err(cx.throw_error("Modification of ArrayObject during sorting is prohibited"));
    }
    let storage = match array.view_deref() {
        View::Array(a) => Value::from(a.clone()),
        View::Object(o) => {
            if o == this {
                Value::undef()
            } else if let Some(other) = o.native::<State>() {
                if take_flags {
                    state.flags.set(other.flags.get() & !INTERNAL_FLAGS);
                }
                Value::from(o.clone())
            } else {
                let class = ClassPtr::of(o);
                // These have hooks for other reasons: with stock their properties are kept as those of any object.
                let plain = [b"splobjectstorage".as_slice(), b"closure", b"generator", b"weakreference", b"__php_incomplete_class"].contains(&class.lower.as_bytes());
                let overloaded = (class.hooks.properties.is_some() || class.hooks.prop_read.is_some()) && !plain;
                let keeps_apart = [b"splfixedarray".as_slice(), b"bcmath\\number"].contains(&class.lower.as_bytes());
                if overloaded || keeps_apart {
                    let text =
                        [b"Overloaded object of type ".as_slice(), class.name.as_bytes(), b" is not compatible with ", ClassPtr::of(this).name.as_bytes()]
                            .concat();
                    return Err(cx.throw("InvalidArgumentException", text));
                }
                Value::from(o.clone())
            }
        }
        _ => return Err(cx.arg_type_error(1, [b"must be of type array, ".as_slice(), &jumbo_abi::args::type_name(array), b" given"].concat())),
    };
    drop(state.storage.replace(storage));
    state.at.set(0);
    *state.key.borrow_mut() = None;
    Ok(())
}

/// The class of iterators, which must be or extend ArrayIterator; `n`: number of the argument.
fn iterator_class_named(cx: &mut Cx, name: &PStr, n: u32) -> Res<ClassPtr> {
    let base = cx.builtin_class(b"arrayiterator");
    match cx.find_class(name.as_bytes(), true)? {
        Some(class) if class.is_a(base) => Ok(class),
        _ => Err(cx.arg_type_error(
            n,
            [b"must be a class name derived from ArrayIterator, ".as_slice(), name.as_bytes(), b" given"].concat(),
        )),
    }
}

pub fn __construct(cx: &mut Cx, this: &PObject, array: Option<&Value>, flags: Option<i64>, iterator_class: Option<&PStr>) -> Res<()> {
    let Some(array) = array else {
        if let Some(flags) = flags {
            state(cx, this)?.flags.set(flags & !INTERNAL_FLAGS);
        }
        if let Some(name) = iterator_class {
            let class = iterator_class_named(cx, name, 3)?;
            state(cx, this)?.iterator_class.set(Some(class));
        }
        return Ok(());
    };
    if let Some(name) = iterator_class {
        let class = iterator_class_named(cx, name, 3)?;
        state(cx, this)?.iterator_class.set(Some(class));
    }
    if let Some(flags) = flags {
        state(cx, this)?.flags.set(flags & !INTERNAL_FLAGS);
    }
    set_storage(cx, this, array, flags.is_none())
}

pub fn exchange_array(cx: &mut Cx, this: &PObject, array: &Value) -> Res<PArray> {
    modifiable(cx, this)?;
    let old = copy(&target(this));
    set_storage(cx, this, array, true)?;
    Ok(old)
}

pub fn get_array_copy(_cx: &mut Cx, this: &PObject) -> PArray {
    copy(&target(this))
}

pub fn get_flags(_cx: &mut Cx, this: &PObject) -> i64 {
    flags(this) & !INTERNAL_FLAGS
}

pub fn set_flags(cx: &mut Cx, this: &PObject, flags: i64) -> Res<()> {
    state(cx, this)?.flags.set(flags & !INTERNAL_FLAGS);
    Ok(())
}

pub fn get_iterator(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let class = state(cx, this)?.iterator_class.get().unwrap_or_else(|| cx.builtin_class(b"arrayiterator"));
    iterator_over(cx, class, this)
}

/// An ArrayIterator of `class` over the storage of `this`, its constructor not called.
fn iterator_over(cx: &mut Cx, class: ClassPtr, this: &PObject) -> Res<PObject> {
    let iterator = cx.new_object(class)?;
    if let (Some(to), Some(from)) = (iterator.native::<State>(), this.native::<State>()) {
        to.flags.set(from.flags.get());
        drop(to.storage.replace(Value::from(this.clone())));
    }
    Ok(iterator)
}

pub fn set_iterator_class(cx: &mut Cx, this: &PObject, iterator_class: &PStr) -> Res<()> {
    let class = iterator_class_named(cx, iterator_class, 1)?;
    state(cx, this)?.iterator_class.set(Some(class));
    Ok(())
}

pub fn get_iterator_class(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let class = state(cx, this)?.iterator_class.get().unwrap_or_else(|| cx.builtin_class(b"arrayiterator"));
    Ok(class.name.clone())
}

// ---- sorting

/// Sorts by the function of that name, on a copy that then takes the place of the elements.
fn sort(cx: &mut Cx, this: &PObject, function: &str, argument: Option<Value>) -> Res<bool> {
    modifiable(cx, this)?;
    let target = target(this);
    let array = PRef::new(Value::from(copy(&target)));
    let state = state(cx, this)?;
    state.sorting.set(state.sorting.get() + 1);
    let mut args = vec![Value::from(array.clone())];
    args.extend(argument);
    let result = cx.call_builtin(function, &args);
    state.sorting.set(state.sorting.get().saturating_sub(1));
    let sorted = array.get().into_deref();
    match &target {
        Target::Array(owner) => {
            if let (Some(state), true) = (owner.native::<State>(), sorted.is_array()) {
                drop(state.storage.replace(sorted));
            }
        }
        Target::Properties(object) => {
            // Declared properties keep their slots, so only the order of the others can change.
            if let Some(sorted) = sorted.as_array() {
                let class = ClassPtr::of(object);
                let mut table = PArray::new();
                for (key, value) in sorted {
                    let declared = matches!(key, KeyRef::Str(s) if s.as_bytes().first() == Some(&0) || class.properties.contains_key(s.as_bytes()));
                    if !declared {
                        table.set(key.to_key(), value.clone());
                    }
                }
                drop(object.set_dynamic(Some(table)));
            }
        }
    }
    result?;
    Ok(true)
}

pub fn asort(cx: &mut Cx, this: &PObject, flags: i64) -> Res<bool> {
    sort(cx, this, "asort", Some(Value::from(flags)))
}
pub fn ksort(cx: &mut Cx, this: &PObject, flags: i64) -> Res<bool> {
    sort(cx, this, "ksort", Some(Value::from(flags)))
}
pub fn uasort(cx: &mut Cx, this: &PObject, callback: &jumbo_abi::Callable) -> Res<bool> {
    sort(cx, this, "uasort", Some(callback.value.clone()))
}
pub fn uksort(cx: &mut Cx, this: &PObject, callback: &jumbo_abi::Callable) -> Res<bool> {
    sort(cx, this, "uksort", Some(callback.value.clone()))
}
pub fn natsort(cx: &mut Cx, this: &PObject) -> Res<bool> {
    sort(cx, this, "natsort", None)
}
pub fn natcasesort(cx: &mut Cx, this: &PObject) -> Res<bool> {
    sort(cx, this, "natcasesort", None)
}

// ---- serialisation

/// The storage as it is serialised and shown; None: the properties of the object itself.
fn shown_storage(this: &PObject) -> Option<Value> {
    let storage = this.native::<State>()?.storage.borrow().clone();
    (!storage.is_undef()).then_some(storage)
}

fn serialized_flags(this: &PObject) -> i64 {
    get_only_flags(this) | if shown_storage(this).is_none() { IS_SELF } else { 0 }
}

fn get_only_flags(this: &PObject) -> i64 {
    flags(this) & !INTERNAL_FLAGS
}

pub fn __serialize(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let state = state(cx, this)?;
    let members = support::members(cx, this)?;
    let class = state.iterator_class.get().filter(|c| *c != cx.builtin_class(b"arrayiterator"));
    Ok(PArray::from_values([
        Value::from(serialized_flags(this)),
        shown_storage(this).unwrap_or_default(),
        Value::from(members),
        class.map_or(Value::null(), |c| Value::from(c.name.clone())),
    ]))
}

fn ill_typed(cx: &mut Cx) -> Stop {
    cx.throw("UnexpectedValueException", "Incomplete or ill-typed serialization data")
}

pub fn __unserialize(cx: &mut Cx, this: &PObject, data: &PArray) -> Res<()> {
    let item = |n| data.get_int(n).map(Value::copy_deref);
    let (Some(flags), Some(storage), Some(members)) = (item(0), item(1), item(2)) else { return Err(ill_typed(cx)) };
    let (Some(flags), Some(members)) = (flags.as_int(), members.as_array()) else { return Err(ill_typed(cx)) };
    if item(3).is_some_and(|class| !class.is_null() && !class.is_string()) {
        return Err(ill_typed(cx));
    }
    let state = state(cx, this)?;
    state.flags.set(flags & !INTERNAL_FLAGS);
    if flags & IS_SELF != 0 {
        drop(state.storage.replace(Value::undef()));
    } else {
        if !storage.is_array() && !storage.is_object() {
            return Err(cx.throw("InvalidArgumentException", "Passed variable is not an array or object"));
        }
        set_storage(cx, this, &storage, false)?;
    }
    support::set_members(cx, this, members)?;
    if let Some(name) = item(3).as_ref().and_then(Value::as_str) {
        let base = cx.builtin_class(b"iterator");
        match cx.find_class(name.as_bytes(), true)? {
            Some(class) if class.is_a(base) && !class.is(class_flags::INTERFACE) => state.iterator_class.set(Some(class)),
            Some(class) => {
                let text = [b"Cannot deserialize ArrayObject with iterator class '".as_slice(), class.name.as_bytes(), b"'; this class does not implement the Iterator interface"].concat();
                return Err(cx.throw("UnexpectedValueException", text));
            }
            None => {
                let text = [b"Cannot deserialize ArrayObject with iterator class '".as_slice(), name.as_bytes(), b"'; no such class exists"].concat();
                return Err(cx.throw("UnexpectedValueException", text));
            }
        }
    }
    Ok(())
}

pub fn serialize(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let mut out = Serializer::default();
    out.raw(b"x:")?;
    out.write(cx, &Value::from(serialized_flags(this)))?;
    if let Some(storage) = shown_storage(this) {
        out.write(cx, &storage)?;
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
    modifiable(cx, this)?;
    let mut data = support::Data::new(cx, data.as_bytes())?;
    data.expect(cx, b"x:")?;
    let Some(flags) = data.value(cx)?.as_int() else { return Err(data.error(cx)) };
    let state = state(cx, this)?;
    if flags & IS_SELF != 0 {
        drop(state.storage.replace(Value::undef()));
    } else {
        if !matches!(data.peek(), Some(b'a' | b'O' | b'C' | b'r')) {
            return Err(data.error(cx));
        }
        let storage = data.value(cx)?;
        if !storage.is_array() && !storage.is_object() {
            return Err(data.error(cx));
        }
        set_storage(cx, this, &storage, false)?;
        data.expect(cx, b";")?;
    }
    state.flags.set(flags & !INTERNAL_FLAGS);
    data.members(cx, this)
}

pub fn __debug_info(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    match shown_storage(this) {
        None => support::members(cx, this),
        Some(storage) => {
            let class = if ClassPtr::of(this).hooks.iterate.is_some() { "ArrayIterator" } else { "ArrayObject" };
            debug_table(cx, this, class, &[("storage", storage)])
        }
    }
}
