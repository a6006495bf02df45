//! SplDoublyLinkedList, SplQueue and SplStack.
//!
//! Elements stand in a deque and have numbers that never change while they live: `base` is the number of the deque's first place. An element
//! unset in the middle leaves a hole, so that iterations that stand on it know what comes next; holes at the ends go with the next pop or
//! shift.

use crate::support::{self, Data, debug_table};
use jumbo_abi::desc::NativeIterator;
use jumbo_abi::{ClassHooks, Cx, PArray, PObject, PStr, Res, Stop, Value, View};
use jumbo_ext_misc::serialize::Serializer;
use jumbo_value::{Heap, Native};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

const LIFO: i64 = 2;
const DELETE: i64 = 1;
/// The direction is fixed (SplQueue, SplStack).
const FIXED: i64 = 4;

/// The deque's memory counts against memory_limit.
#[derive(Default)]
struct List {
    items: VecDeque<Value>,
    charged_bytes: usize,
    /// Number of the first place.
    base: i64,
    holes: usize,
}

impl Drop for List {
    fn drop(&mut self) {
        Heap::uncharge_current(self.charged_bytes);
    }
}

impl List {
    /// Makes room for so many more elements. Unwinds when memory_limit would be exceeded.
    fn reserve(&mut self, more: usize) {
        let need = self.items.len().saturating_add(more);
        if need <= self.items.capacity() {
            return;
        }
        let room = need.max(self.items.capacity().saturating_mul(2)).max(8);
        let bytes = room.saturating_mul(size_of::<Value>());
        if bytes > self.charged_bytes {
            Heap::charge_current(bytes - self.charged_bytes);
            self.charged_bytes = bytes;
        }
        self.items.reserve_exact(room - self.items.len());
    }
    fn len(&self) -> usize {
        self.items.len() - self.holes
    }
    fn get(&self, id: i64) -> Option<&Value> {
        self.items.get(usize::try_from(id.checked_sub(self.base)?).ok()?).filter(|v| !v.is_undef())
    }
    /// The first living element from `id` on, forwards or backwards.
    fn seek(&self, mut id: i64, back: bool) -> Option<i64> {
        let end = self.base + self.items.len() as i64;
        while id >= self.base && id < end {
            if self.get(id).is_some() {
                return Some(id);
            }
            id += if back { -1 } else { 1 };
        }
        None
    }
    fn first(&self, back: bool) -> Option<i64> {
        self.seek(if back { self.base + self.items.len() as i64 - 1 } else { self.base }, back)
    }
    /// Number of the element at an index, counted from the end when `back`.
    fn at(&self, index: i64, back: bool) -> Option<i64> {
        let index = usize::try_from(index).ok().filter(|i| *i < self.len())?;
        if self.holes == 0 {
            let place = if back { self.items.len() - 1 - index } else { index };
            return Some(self.base + place as i64);
        }
        let mut live = self.items.iter().enumerate().filter(|(_, v)| !v.is_undef()).map(|(n, _)| self.base + n as i64);
        if back { live.nth_back(index) } else { live.nth(index) }
    }
    fn pop(&mut self) -> Option<Value> {
        while let Some(value) = self.items.pop_back() {
            if !value.is_undef() {
                return Some(value);
            }
            self.holes -= 1;
        }
        None
    }
    fn shift(&mut self) -> Option<Value> {
        while let Some(value) = self.items.pop_front() {
            self.base += 1;
            if !value.is_undef() {
                return Some(value);
            }
            self.holes -= 1;
        }
        None
    }
    fn values(&self) -> impl Iterator<Item = &Value> {
        self.items.iter().filter(|v| !v.is_undef())
    }
}

/// Where an iteration stands.
#[derive(Default)]
struct Cursor {
    /// Number of the element; None past the end.
    id: Cell<Option<i64>>,
    position: Cell<i64>,
}

struct State {
    list: RefCell<List>,
    flags: Cell<i64>,
    cursor: Cursor,
}

impl Native for State {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.list.borrow().values().for_each(visit);
    }
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        let mut copy = List::default();
        let list = self.list.borrow();
        copy.reserve(list.len());
        copy.items.extend(list.values().map(Value::copy_deref));
        drop(list);
        let list = RefCell::new(copy);
        Some(Box::new(State { list, flags: self.flags.clone(), cursor: Cursor::default() }))
    }
    fn clear(&mut self) {
        drop(self.list.take());
    }
}

const PLAIN: ClassHooks = ClassHooks { iterate: Some(iterate), ..ClassHooks::NONE };
pub static HOOKS: ClassHooks = ClassHooks { create: Some(|_, o| create(o, 0)), ..PLAIN };
pub static QUEUE_HOOKS: ClassHooks = ClassHooks { create: Some(|_, o| create(o, FIXED)), ..PLAIN };
pub static STACK_HOOKS: ClassHooks = ClassHooks { create: Some(|_, o| create(o, FIXED | LIFO)), ..PLAIN };

fn create(object: &PObject, flags: i64) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State { list: RefCell::default(), flags: Cell::new(flags), cursor: Cursor::default() }));
    Ok(())
}

fn state<'o>(cx: &mut Cx, this: &'o PObject) -> Res<&'o State> {
    match this.native::<State>() {
        Some(state) => Ok(state),
        None => Err(cx.throw_error("The list has not been initialized")),
    }
}

impl State {
    fn lifo(&self) -> bool {
        self.flags.get() & LIFO != 0
    }
    fn rewind(&self, cursor: &Cursor, back: bool) {
        let list = self.list.borrow();
        cursor.id.set(list.first(back));
        cursor.position.set(if back { list.len() as i64 - 1 } else { 0 });
    }
    fn advance(&self, cursor: &Cursor, back: bool) {
        let Some(id) = cursor.id.get() else { return };
        let next = self.list.borrow().seek(id + if back { -1 } else { 1 }, back);
        cursor.id.set(next);
        if back {
            cursor.position.set(cursor.position.get() - 1);
        }
        if self.flags.get() & DELETE != 0 {
            let gone = if back { self.list.borrow_mut().pop() } else { self.list.borrow_mut().shift() };
            drop(gone);
        } else if !back {
            cursor.position.set(cursor.position.get() + 1);
        }
    }
    fn current(&self, cursor: &Cursor) -> Value {
        cursor.id.get().and_then(|id| self.list.borrow().get(id).map(Value::copy_deref)).unwrap_or_default()
    }
}

fn out_of_range(cx: &mut Cx) -> Stop {
    let text = [cx.active_function_name().as_slice(), b"(): Argument #1 ($index) is out of range"].concat();
    cx.throw("OutOfRangeException", text)
}

/// The index that an offset means.
fn index(cx: &mut Cx, offset: &Value) -> Res<i64> {
    match offset.view_deref() {
        View::Int(i) => Ok(i),
        View::Str(s) if s.as_index().is_some() => Ok(s.as_index().unwrap_or_default()),
        View::Float(f) => Ok(jumbo_value::number::float_to_int(f)),
        View::Bool(b) => Ok(i64::from(b)),
        View::Resource(r) => {
            let id = r.id();
            cx.raise(jumbo_abi::Level::Warning, format!("Resource ID#{id} used as offset, casting to integer ({id})").as_bytes())?;
            Ok(id)
        }
        _ => Err(cx.arg_type_error(1, [b"must be of type int, ".as_slice(), &jumbo_abi::args::type_name(offset), b" given"].concat())),
    }
}

/// Number of the element that an offset means.
fn element(cx: &mut Cx, this: &PObject, offset: &Value) -> Res<i64> {
    let index = index(cx, offset)?;
    let state = state(cx, this)?;
    let found = state.list.borrow().at(index, state.lifo());
    found.ok_or_else(|| out_of_range(cx))
}

pub fn push(cx: &mut Cx, this: &PObject, value: &Value) -> Res<()> {
    let mut list = state(cx, this)?.list.borrow_mut();
    list.reserve(1);
    list.items.push_back(value.copy_deref());
    Ok(())
}

pub fn enqueue(cx: &mut Cx, this: &PObject, value: &Value) -> Res<()> {
    push(cx, this, value)
}

pub fn unshift(cx: &mut Cx, this: &PObject, value: &Value) -> Res<()> {
    let mut list = state(cx, this)?.list.borrow_mut();
    list.reserve(1);
    list.items.push_front(value.copy_deref());
    list.base -= 1;
    Ok(())
}

pub fn pop(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let value = state(cx, this)?.list.borrow_mut().pop();
    value.ok_or_else(|| cx.throw("RuntimeException", "Can't pop from an empty datastructure"))
}

pub fn shift(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let value = state(cx, this)?.list.borrow_mut().shift();
    value.ok_or_else(|| cx.throw("RuntimeException", "Can't shift from an empty datastructure"))
}

pub fn dequeue(cx: &mut Cx, this: &PObject) -> Res<Value> {
    shift(cx, this)
}

fn peek(cx: &mut Cx, this: &PObject, back: bool) -> Res<Value> {
    let value = {
        let list = state(cx, this)?.list.borrow();
        list.first(back).and_then(|id| list.get(id)).map(Value::copy_deref)
    };
    value.ok_or_else(|| cx.throw("RuntimeException", "Can't peek at an empty datastructure"))
}

pub fn top(cx: &mut Cx, this: &PObject) -> Res<Value> {
    peek(cx, this, true)
}

pub fn bottom(cx: &mut Cx, this: &PObject) -> Res<Value> {
    peek(cx, this, false)
}

pub fn count(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(state(cx, this)?.list.borrow().len() as i64)
}

pub fn is_empty(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(count(cx, this)? == 0)
}

pub fn set_iterator_mode(cx: &mut Cx, this: &PObject, mode: i64) -> Res<i64> {
    let state = state(cx, this)?;
    let flags = state.flags.get();
    if flags & FIXED != 0 && (flags ^ mode) & LIFO != 0 {
        return Err(cx.throw("RuntimeException", "Iterators' LIFO/FIFO modes for SplStack/SplQueue objects are frozen"));
    }
    state.flags.set(mode & (LIFO | DELETE) | flags & FIXED);
    Ok(state.flags.get())
}

pub fn get_iterator_mode(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(state(cx, this)?.flags.get())
}

// ---- offsets

pub fn offset_exists(cx: &mut Cx, this: &PObject, offset: &Value) -> Res<bool> {
    let index = index(cx, offset)?;
    Ok(index >= 0 && index < count(cx, this)?)
}

pub fn offset_get(cx: &mut Cx, this: &PObject, offset: &Value) -> Res<Value> {
    let id = element(cx, this, offset)?;
    Ok(state(cx, this)?.list.borrow().get(id).map_or(Value::null(), Value::copy_deref))
}

fn replace(state: &State, id: i64, value: Value) -> Value {
    let mut list = state.list.borrow_mut();
    let place = id - list.base;
    match usize::try_from(place).ok().and_then(|n| list.items.get_mut(n)) {
        Some(slot) => std::mem::replace(slot, value),
        None => Value::undef(),
    }
}

pub fn offset_set(cx: &mut Cx, this: &PObject, offset: &Value, value: &Value) -> Res<()> {
    if offset.deref().is_null() {
        return push(cx, this, value);
    }
    let id = element(cx, this, offset)?;
    let old = replace(state(cx, this)?, id, value.copy_deref());
    drop(old);
    Ok(())
}

pub fn offset_unset(cx: &mut Cx, this: &PObject, offset: &Value) -> Res<()> {
    let id = element(cx, this, offset)?;
    let state = state(cx, this)?;
    let old = replace(state, id, Value::undef());
    state.list.borrow_mut().holes += 1;
    drop(old);
    Ok(())
}

pub fn add(cx: &mut Cx, this: &PObject, offset: i64, value: &Value) -> Res<()> {
    let state = state(cx, this)?;
    let len = state.list.borrow().len() as i64;
    if offset < 0 || offset > len {
        return Err(out_of_range(cx));
    }
    if offset == len {
        return push(cx, this, value);
    }
    let Some(id) = state.list.borrow().at(offset, state.lifo()) else { return Err(out_of_range(cx)) };
    let mut list = state.list.borrow_mut();
    let place = usize::try_from(id - list.base).unwrap_or_default();
    list.reserve(1);
    list.items.insert(place, value.copy_deref());
    drop(list);
    // What stood at this place and behind it has moved by one.
    if let Some(at) = state.cursor.id.get().filter(|at| *at >= id) {
        state.cursor.id.set(Some(at + 1));
    }
    Ok(())
}

// ---- iteration

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    let state = state(cx, this)?;
    state.rewind(&state.cursor, state.lifo());
    Ok(())
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let state = state(cx, this)?;
    Ok(state.current(&state.cursor))
}

pub fn key(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(state(cx, this)?.cursor.position.get())
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    let state = state(cx, this)?;
    state.advance(&state.cursor, state.lifo());
    Ok(())
}

/// Against the direction of the iteration.
pub fn prev(cx: &mut Cx, this: &PObject) -> Res<()> {
    let state = state(cx, this)?;
    let Some(id) = state.cursor.id.get() else { return Ok(()) };
    let back = !state.lifo();
    let step = if back { -1 } else { 1 };
    let next = state.list.borrow().seek(id + step, back);
    state.cursor.id.set(next);
    if !(step > 0 && state.flags.get() & DELETE != 0) {
        state.cursor.position.set(state.cursor.position.get() + step);
    }
    Ok(())
}

pub fn valid(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state(cx, this)?.cursor.id.get().is_some())
}

/// `foreach`: with a position of its own, in the direction that the list had at the start.
struct Walk {
    list: Value,
    back: bool,
    cursor: Cursor,
}

impl Walk {
    fn state(&self) -> Option<&State> {
        self.list.as_object()?.native::<State>()
    }
}

impl Native for Walk {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.list);
    }
    fn clear(&mut self) {
        drop(self.list.take());
    }
}

fn iterate(cx: &mut Cx, this: &PObject, by_ref: bool) -> Res<Box<dyn NativeIterator>> {
    if by_ref {
        return Err(cx.throw_error("An iterator cannot be used with foreach by reference"));
    }
    let back = state(cx, this)?.lifo();
    Ok(Box::new(Walk { list: Value::from(this.clone()), back, cursor: Cursor::default() }))
}

impl NativeIterator for Walk {
    fn rewind(&self, _cx: &mut Cx) -> Res<()> {
        if let Some(state) = self.state() {
            state.rewind(&self.cursor, self.back);
        }
        Ok(())
    }
    fn valid(&self, _cx: &mut Cx) -> Res<bool> {
        Ok(self.cursor.id.get().is_some())
    }
    fn current(&self, _cx: &mut Cx) -> Res<Value> {
        Ok(self.state().map_or(Value::null(), |s| s.current(&self.cursor)))
    }
    fn key(&self, _cx: &mut Cx) -> Res<Value> {
        Ok(Value::from(self.cursor.position.get()))
    }
    fn next(&self, _cx: &mut Cx) -> Res<()> {
        if let Some(state) = self.state() {
            state.advance(&self.cursor, self.back);
        }
        Ok(())
    }
}

// ---- serialisation

fn elements(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    Ok(state(cx, this)?.list.borrow().values().cloned().collect())
}

pub fn __serialize(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let flags = state(cx, this)?.flags.get();
    let (elements, members) = (elements(cx, this)?, support::members(cx, this)?);
    Ok(PArray::from_values([Value::from(flags), Value::from(elements), Value::from(members)]))
}

pub fn __unserialize(cx: &mut Cx, this: &PObject, data: &PArray) -> Res<()> {
    let item = |n| data.get_int(n).map(Value::copy_deref).unwrap_or_default();
    let (flags, elements, members) = (item(0), item(1), item(2));
    let (Some(flags), Some(elements), Some(members)) = (flags.as_int(), elements.as_array(), members.as_array()) else {
        return Err(cx.throw("UnexpectedValueException", "Incomplete or ill-typed serialization data"));
    };
    let state = state(cx, this)?;
    state.flags.set(flags);
    let mut list = state.list.borrow_mut();
    list.reserve(elements.len());
    list.items.extend(elements.values().cloned());
    drop(list);
    support::set_members(cx, this, members)
}

pub fn serialize(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let state = state(cx, this)?;
    let mut out = Serializer::default();
    out.write(cx, &Value::from(state.flags.get()))?;
    // The elements are asked for one by one: serialising one may run code that takes others away.
    let mut next = state.list.borrow().first(false);
    while let Some(id) = next {
        let Some(value) = state.list.borrow().get(id).cloned() else { break };
        out.raw(b":")?;
        out.write(cx, &value)?;
        next = state.list.borrow().seek(id + 1, false);
    }
    Ok(out.finish())
}

pub fn unserialize(cx: &mut Cx, this: &PObject, data: &PStr) -> Res<()> {
    if data.is_empty() {
        return Ok(());
    }
    let mut data = Data::new(cx, data.as_bytes())?;
    let Some(flags) = data.value(cx)?.as_int() else { return Err(support::data_error(cx, 0, data.len())) };
    let state = state(cx, this)?;
    drop(state.list.take());
    state.flags.set(flags);
    while data.take(b":") {
        let value = data.value(cx)?;
        let mut list = state.list.borrow_mut();
        list.reserve(1);
        list.items.push_back(value);
    }
    if !data.at_end() {
        return Err(data.error(cx));
    }
    data.finish(cx)
}

pub fn __debug_info(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let flags = state(cx, this)?.flags.get();
    let elements = elements(cx, this)?;
    debug_table(cx, this, "SplDoublyLinkedList", &[("flags", Value::from(flags)), ("dllist", Value::from(elements))])
}
