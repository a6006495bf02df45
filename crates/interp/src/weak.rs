//! WeakReference and WeakMap: objects known by their number only; the internal pointers of their properties, too.
//!
//! An object that one of them knows is marked, and its heap tells [`forget`] when it is freed. The tables belong to a heap and are found by
//! its address, since freeing knows no context. Hazard: dropping a map's value may free further objects, so values are taken out
//! of the tables first and dropped when no table is borrowed.

use indexmap::IndexMap;
use jumbo_abi::desc::{NativeIterator, Purpose};
use jumbo_abi::{ClassPtr, Cx, PArray, PObject, PRef, Res, Value};
use jumbo_value::hash::WordMap;
use jumbo_value::{Heap, Native, ObjHeader};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::{Rc, Weak};

/// What is known of weakly referenced objects of one heap, by object number.
#[derive(Default)]
struct Table {
    /// The WeakReference of an object, not counted: it leaves the table when it is dropped.
    references: HashMap<u32, *mut ObjHeader>,
    /// The maps that have the object as a key, by address.
    maps: HashMap<u32, IndexMap<usize, Weak<Entries>>>,
    /// Internal pointers of objects' properties that have been moved.
    positions: HashMap<u32, usize>,
}

thread_local! {
    static TABLES: RefCell<HashMap<usize, Table>> = RefCell::default();
}

fn heap_key() -> usize {
    std::ptr::from_ref(Heap::current()) as usize
}

fn with_table<T>(f: impl FnOnce(&mut Table) -> T) -> T {
    TABLES.with(|t| f(t.borrow_mut().entry(heap_key()).or_default()))
}

/// The heap's hook: the object with this number is gone.
fn forget(id: u32) {
    let maps = TABLES.with(|t| {
        let mut tables = t.borrow_mut();
        let table = tables.get_mut(&heap_key())?;
        if let Some(reference) = table.references.remove(&id) {
            // SAFETY: a WeakReference takes itself out of the table before it goes.
            unsafe {
                let object = std::mem::ManuallyDrop::new(PObject::from_ptr(reference));
                if let Some(state) = object.native::<Reference>() {
                    state.target.set(None);
                }
            }
        }
        table.positions.remove(&id);
        table.maps.remove(&id)
    });
    for entries in maps.into_iter().flatten().map(|(_, entries)| entries) {
        let value = entries.upgrade().and_then(|e| e.remove(id));
        drop(value);
    }
}

/// The heap's hook: the values that maps have for the object with this number.
fn values_of(id: u32, visit: &mut dyn FnMut(usize, &Value)) {
    let maps: Vec<Rc<Entries>> = TABLES.with(|t| {
        let tables = t.borrow();
        let known = tables.get(&heap_key()).and_then(|table| table.maps.get(&id));
        known.into_iter().flat_map(|maps| maps.values().filter_map(Weak::upgrade)).collect()
    });
    for entries in maps {
        if let Some(value) = entries.values.borrow().get(id) {
            visit(Rc::as_ptr(&entries) as usize, value);
        }
    }
}

/// The request has ended: the tables go, before the heap does.
pub fn request_end(_cx: &mut Cx) -> Res<()> {
    let table = TABLES.with(|t| t.borrow_mut().remove(&heap_key()));
    drop(table);
    Ok(())
}

fn watch(object: &PObject) {
    object.mark_weakly_referenced();
    Heap::current().set_weak_hook(Some(forget));
    Heap::current().set_weak_values_hook(Some(values_of));
}

// ---- the internal pointer of properties

pub fn property_position(object: &PObject) -> usize {
    with_table(|t| t.positions.get(&object.id()).copied().unwrap_or(0))
}

pub fn set_property_position(object: &PObject, position: usize) {
    with_table(|t| t.positions.insert(object.id(), position));
    watch(object);
}

// ---- WeakReference

/// Native state of a WeakReference.
struct Reference {
    target: Cell<Option<u32>>,
}

impl Native for Reference {}

impl Drop for Reference {
    fn drop(&mut self) {
        if let Some(id) = self.target.get() {
            with_table(|t| t.references.remove(&id));
        }
    }
}

/// The WeakReference of an object: always the same one while it lives.
pub fn reference_to(cx: &Cx, object: &PObject) -> PObject {
    let known = with_table(|t| t.references.get(&object.id()).copied());
    if let Some(known) = known {
        // SAFETY: it leaves the table before it goes.
        return unsafe { PObject::share(known) };
    }
    let class = cx.builtin_class(b"weakreference");
    // SAFETY: builtin classes live as long as the process.
    let reference = unsafe { PObject::alloc(&raw const (*class.as_ptr()).head) };
    let first = reference.set_native(Box::new(Reference { target: Cell::new(Some(object.id())) }));
    debug_assert!(first.is_ok(), "a new object has no native state");
    with_table(|t| t.references.insert(object.id(), reference.as_ptr()));
    watch(object);
    reference
}

/// The object, if it is alive.
pub fn target(reference: &PObject) -> Option<PObject> {
    let id = reference.native::<Reference>()?.target.get()?;
    Heap::current().object(id)
}

pub fn reference_properties(_cx: &mut Cx, reference: &PObject, purpose: Purpose) -> Res<Option<PArray>> {
    if purpose != Purpose::Debug {
        return Ok(None);
    }
    let mut info = PArray::new();
    info.set_bytes(b"object", target(reference).map_or(Value::null(), Value::from));
    Ok(Some(info))
}

// ---- WeakMap

/// Entries in order of insertion, with their places by object number. A removed entry leaves a gap, so that removing costs the same at
/// either end; gaps are closed when they are the most of the list and nobody iterates.
#[derive(Default)]
struct EntryList {
    list: Vec<Option<(u32, Value)>>,
    by_id: WordMap<u32, usize>,
}

/// Gaps that are not worth closing.
const GAPS_MIN: usize = 32;

impl EntryList {
    fn get(&self, id: u32) -> Option<&Value> {
        let (_, value) = self.list[*self.by_id.get(&id)?].as_ref()?;
        Some(value)
    }
    fn get_mut(&mut self, id: u32) -> Option<&mut Value> {
        let (_, value) = self.list[*self.by_id.get(&id)?].as_mut()?;
        Some(value)
    }
    /// The former value of an entry that is there already and stays in its place.
    fn insert(&mut self, id: u32, value: Value) -> Option<Value> {
        if let Some(there) = self.get_mut(id) {
            return Some(std::mem::replace(there, value));
        }
        self.by_id.insert(id, self.list.len());
        self.list.push(Some((id, value)));
        None
    }
    fn remove(&mut self, id: u32) -> Option<Value> {
        let (_, value) = self.list[self.by_id.remove(&id)?].take()?;
        Some(value)
    }
    fn iter(&self) -> impl Iterator<Item = &(u32, Value)> {
        self.list.iter().flatten()
    }
    fn close_gaps(&mut self) {
        self.list.retain(Option::is_some);
        self.by_id = self.list.iter().flatten().enumerate().map(|(at, (id, _))| (*id, at)).collect();
    }
}

/// What a WeakMap and its iterations share.
#[derive(Default)]
struct Entries {
    values: RefCell<EntryList>,
    walks: Cell<u32>,
    /// Entries that are references because something was written inside of them, not because somebody asked for a reference.
    places: RefCell<HashSet<u32>>,
}

impl Entries {
    fn len(&self) -> usize {
        self.values.borrow().by_id.len()
    }
    fn remove(&self, id: u32) -> Option<Value> {
        let value = self.values.borrow_mut().remove(id)?;
        self.places.borrow_mut().remove(&id);
        self.tidy();
        Some(value)
    }
    /// Positions of iterations count gaps, so they stay while there are any.
    fn tidy(&self) {
        let values = &mut *self.values.borrow_mut();
        if self.walks.get() == 0 && values.list.len() > 2 * values.by_id.len() + GAPS_MIN {
            values.close_gaps();
        }
    }
    fn get(&self, id: u32) -> Option<Value> {
        self.values.borrow().get(id).cloned()
    }
}

impl Drop for Entries {
    /// Objects that live on need not remember the map.
    fn drop(&mut self) {
        let address = std::ptr::from_ref(self) as usize;
        TABLES.with(|t| {
            let mut tables = t.borrow_mut();
            // At the end of the request the table has gone before the maps.
            let Some(table) = tables.get_mut(&heap_key()) else { return };
            for id in self.values.get_mut().by_id.keys() {
                if let Some(maps) = table.maps.get_mut(id) {
                    maps.swap_remove(&address);
                }
            }
        });
    }
}

/// Native state of a WeakMap.
struct Map {
    entries: Rc<Entries>,
}

impl Native for Map {
    fn weak_map(&self) -> Option<usize> {
        Some(Rc::as_ptr(&self.entries) as usize)
    }
    fn trace_weak(&self, visit: &mut dyn FnMut(u32, &Value)) {
        for (id, value) in self.entries.values.borrow().iter() {
            visit(*id, value);
        }
    }
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        let copy = Map { entries: Rc::default() };
        let ids: Vec<(u32, Value)> = self.entries.values.borrow().iter().map(|(id, v)| (*id, v.copy_deref())).collect();
        for (id, value) in ids {
            copy.insert(id, value);
        }
        Some(Box::new(copy))
    }
    fn clear(&mut self) {
        let values = std::mem::take(&mut *self.entries.values.borrow_mut());
        drop(values);
    }
}

impl Map {
    fn insert(&self, id: u32, value: Value) {
        let is_new = self.entries.values.borrow().get(id).is_none();
        let old = self.entries.values.borrow_mut().insert(id, value);
        drop(old);
        if is_new {
            with_table(|t| t.maps.entry(id).or_default().insert(Rc::as_ptr(&self.entries) as usize, Rc::downgrade(&self.entries)));
        }
    }
}

pub fn create_map(_cx: &mut Cx, object: &PObject) -> Res<()> {
    let first = object.set_native(Box::new(Map { entries: Rc::default() }));
    debug_assert!(first.is_ok(), "a new object has no native state");
    Ok(())
}

fn key(cx: &mut Cx, offset: Option<&Value>) -> Res<PObject> {
    match offset.map(Value::copy_deref) {
        None => Err(cx.throw_error(b"Cannot append to WeakMap")),
        Some(v) => match v.as_object() {
            Some(o) => Ok(o.clone()),
            None => Err(cx.type_error(b"WeakMap key must be an object")),
        },
    }
}

fn entries(map: &PObject) -> Rc<Entries> {
    map.native::<Map>().map_or_else(Rc::default, |m| m.entries.clone())
}

fn missing(cx: &mut Cx, object: &PObject) -> jumbo_abi::Stop {
    let text = [
        b"Object ".as_slice(),
        ClassPtr::of(object).name.as_bytes(),
        format!("#{} not contained in WeakMap", object.id()).as_bytes(),
    ]
    .concat();
    cx.throw_error(text)
}

pub fn read(cx: &mut Cx, map: &PObject, offset: Option<&Value>) -> Res<Value> {
    let object = key(cx, offset)?;
    match entries(map).get(object.id()) {
        Some(value) => Ok(value.into_deref()),
        None => Err(missing(cx, &object)),
    }
}

/// A reference to the entry, for `$map[$object][] = …`.
pub fn reference_at(cx: &mut Cx, map: &PObject, offset: Option<&Value>, _creates: bool) -> Res<Option<Value>> {
    let object = key(cx, offset)?;
    let entries = entries(map);
    let mut values = entries.values.borrow_mut();
    match values.get_mut(object.id()) {
        Some(value) => {
            if !value.is_ref() {
                entries.places.borrow_mut().insert(object.id());
            }
            Ok(Some(Value::from(value.make_ref())))
        }
        None => {
            drop(values);
            Err(missing(cx, &object))
        }
    }
}

pub fn write(cx: &mut Cx, map: &PObject, offset: Option<&Value>, value: &Value) -> Res<()> {
    let object = key(cx, offset)?;
    let Some(state) = map.native::<Map>() else { return Ok(()) };
    watch(&object);
    // A reference that is there is replaced, too.
    state.insert(object.id(), value.copy_deref());
    Ok(())
}

/// `$map[$object] = &$variable`, of an entry that is there.
pub fn bind(cx: &mut Cx, map: &PObject, offset: &Value, reference: &PRef) -> Res<()> {
    let object = key(cx, Some(offset))?;
    let Some(state) = map.native::<Map>() else { return Ok(()) };
    if state.entries.get(object.id()).is_none() {
        return Err(missing(cx, &object));
    }
    state.entries.places.borrow_mut().remove(&object.id());
    state.insert(object.id(), Value::from(reference.clone()));
    Ok(())
}

pub fn has(cx: &mut Cx, map: &PObject, offset: &Value, empty: bool) -> Res<bool> {
    let object = key(cx, Some(offset))?;
    let Some(value) = entries(map).get(object.id()) else { return Ok(false) };
    if empty { crate::objects::value_truth(cx, &value) } else { Ok(!value.deref().is_null()) }
}

pub fn unset(cx: &mut Cx, map: &PObject, offset: &Value) -> Res<()> {
    let object = key(cx, Some(offset))?;
    let value = entries(map).remove(object.id());
    drop(value);
    Ok(())
}

pub fn count(map: &PObject) -> usize {
    entries(map).len()
}

pub fn map_properties(_cx: &mut Cx, map: &PObject, purpose: Purpose) -> Res<Option<PArray>> {
    if purpose != Purpose::Debug {
        return Ok(None);
    }
    let mut list = PArray::new();
    let entries = entries(map);
    for (id, value) in entries.values.borrow().iter() {
        let Some(object) = Heap::current().object(*id) else { continue };
        let mut pair = PArray::new();
        pair.set_bytes(b"key", object);
        // A reference that only the map holds is none for anybody else.
        let only_place = entries.places.borrow().contains(id) && value.as_ref().is_some_and(|r| r.ref_count() <= 1);
        let shown = if only_place { value.copy_deref() } else { value.clone() };
        pair.set_bytes(b"value", shown);
        list.append(pair);
    }
    Ok(Some(list))
}

/// A running iteration: `at` is a position in the entries, gaps included.
struct Walk {
    entries: Rc<Entries>,
    at: Cell<usize>,
    by_ref: bool,
    /// Keeps the map alive.
    map: Value,
}

pub fn iterate(_cx: &mut Cx, map: &PObject, by_ref: bool) -> Res<Box<dyn NativeIterator>> {
    let entries = entries(map);
    entries.walks.set(entries.walks.get() + 1);
    Ok(Box::new(Walk { entries, at: Cell::new(0), by_ref, map: Value::from(map.clone()) }))
}

impl Drop for Walk {
    fn drop(&mut self) {
        self.entries.walks.set(self.entries.walks.get() - 1);
        self.entries.tidy();
    }
}

impl Native for Walk {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.map);
    }
}

impl Walk {
    fn skip_gaps(&self) -> bool {
        let values = self.entries.values.borrow();
        while let Some(entry) = values.list.get(self.at.get()) {
            if entry.is_some() {
                return true;
            }
            self.at.set(self.at.get() + 1);
        }
        false
    }
}

impl NativeIterator for Walk {
    fn rewind(&self, _cx: &mut Cx) -> Res<()> {
        self.at.set(0);
        Ok(())
    }
    fn valid(&self, _cx: &mut Cx) -> Res<bool> {
        Ok(self.skip_gaps())
    }
    fn current(&self, _cx: &mut Cx) -> Res<Value> {
        if !self.skip_gaps() {
            return Ok(Value::null());
        }
        let mut values = self.entries.values.borrow_mut();
        Ok(match values.list.get_mut(self.at.get()) {
            Some(Some((id, value))) if self.by_ref => {
                self.entries.places.borrow_mut().remove(id);
                Value::from(value.make_ref())
            }
            Some(Some((_, value))) => value.copy_deref(),
            _ => Value::null(),
        })
    }
    fn key(&self, _cx: &mut Cx) -> Res<Value> {
        let id = self.entries.values.borrow().list.get(self.at.get()).and_then(|entry| Some(entry.as_ref()?.0));
        Ok(id.and_then(|id| Heap::current().object(id)).map_or(Value::null(), Value::from))
    }
    fn next(&self, _cx: &mut Cx) -> Res<()> {
        if self.skip_gaps() {
            self.at.set(self.at.get() + 1);
        }
        Ok(())
    }
}
