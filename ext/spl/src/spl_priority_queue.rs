//! SplPriorityQueue: a heap of pairs `["data" => …, "priority" => …]`, ordered by priority.

use crate::heap::{self, Heap};
pub use crate::heap::{count, is_corrupted, is_empty, key, next, recover_from_corruption, rewind, valid};
use jumbo_abi::{ClassHooks, Cx, PArray, PObject, Res, Value};

const EXTR_DATA: i64 = 1;
const EXTR_PRIORITY: i64 = 2;
const EXTR_BOTH: i64 = 3;

pub static HOOKS: ClassHooks = ClassHooks { create: Some(create), ..ClassHooks::NONE };

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(Heap::new(order, EXTR_DATA)));
    Ok(())
}

fn part(pair: &Value, name: &[u8]) -> Value {
    pair.deref().as_array().and_then(|a| a.get_bytes(name)).map_or(Value::null(), Value::copy_deref)
}

fn order(cx: &mut Cx, this: &PObject, a: &Value, b: &Value) -> Res<i32> {
    let (a, b) = (part(a, b"priority"), part(b, b"priority"));
    match heap::user_order(cx, this, &a, &b)? {
        Some(order) => Ok(order),
        None => cx.compare(&a, &b),
    }
}

pub fn compare(cx: &mut Cx, _this: &PObject, priority1: &Value, priority2: &Value) -> Res<i64> {
    cx.compare(priority1, priority2).map(i64::from)
}

pub fn insert(cx: &mut Cx, this: &PObject, value: &Value, priority: &Value) -> Res<bool> {
    let heap = heap::heap(cx, this)?;
    heap.check(cx, true)?;
    let mut pair = PArray::with_hash_capacity(2);
    pair.set_bytes(b"data", value.copy_deref());
    pair.set_bytes(b"priority", priority.copy_deref());
    heap.insert(cx, this, Value::from(pair))?;
    Ok(true)
}

pub fn set_extract_flags(cx: &mut Cx, this: &PObject, flags: i64) -> Res<i64> {
    let flags = flags & EXTR_BOTH;
    if flags == 0 {
        return Err(cx.throw("RuntimeException", "Must specify at least one extract flag"));
    }
    heap::heap(cx, this)?.flags.set(flags);
    Ok(flags)
}

pub fn get_extract_flags(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(heap::heap(cx, this)?.flags.get())
}

/// What the extract flags want of a pair.
fn wanted(cx: &mut Cx, this: &PObject, pair: Value) -> Res<Value> {
    Ok(match heap::heap(cx, this)?.flags.get() {
        EXTR_DATA => part(&pair, b"data"),
        EXTR_PRIORITY => part(&pair, b"priority"),
        _ => pair,
    })
}

pub fn top(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let pair = heap::peek(cx, this)?;
    wanted(cx, this, pair)
}

pub fn extract(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let pair = heap::take(cx, this)?;
    wanted(cx, this, pair)
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<Value> {
    match heap::heap(cx, this)?.top() {
        Some(pair) => wanted(cx, this, pair),
        None => Ok(Value::null()),
    }
}

pub fn __debug_info(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    heap::debug_info(cx, this, "SplPriorityQueue")
}
