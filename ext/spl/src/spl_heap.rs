//! SplHeap, SplMinHeap, SplMaxHeap.

use crate::heap::{self, Heap};
pub use crate::heap::{count, is_corrupted, is_empty, key, next, recover_from_corruption, rewind, valid};
use jumbo_abi::{ClassHooks, Cx, PArray, PObject, Res, Value};

pub static HOOKS: ClassHooks = ClassHooks { create: Some(|_, o| create(o, max_order)), ..ClassHooks::NONE };
pub static MIN_HOOKS: ClassHooks = ClassHooks { create: Some(|_, o| create(o, min_order)), ..ClassHooks::NONE };
pub static MAX_HOOKS: ClassHooks = ClassHooks { create: Some(|_, o| create(o, max_order)), ..ClassHooks::NONE };

fn create(object: &PObject, order: heap::Order) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(Heap::new(order, 0)));
    Ok(())
}

fn max_order(cx: &mut Cx, this: &PObject, a: &Value, b: &Value) -> Res<i32> {
    match heap::user_order(cx, this, a, b)? {
        Some(order) => Ok(order),
        None => cx.compare(a, b),
    }
}

fn min_order(cx: &mut Cx, this: &PObject, a: &Value, b: &Value) -> Res<i32> {
    match heap::user_order(cx, this, a, b)? {
        Some(order) => Ok(order),
        None => cx.compare(b, a),
    }
}

/// `compare` of SplMinHeap and SplMaxHeap.
pub fn compare(cx: &mut Cx, this: &PObject, value1: &Value, value2: &Value) -> Res<i64> {
    let min = cx.builtin_class(b"splminheap");
    let order = if jumbo_abi::ClassPtr::of(this).is_a(min) { cx.compare(value2, value1)? } else { cx.compare(value1, value2)? };
    Ok(i64::from(order))
}

pub fn insert(cx: &mut Cx, this: &PObject, value: &Value) -> Res<bool> {
    let heap = heap::heap(cx, this)?;
    heap.check(cx, true)?;
    heap.insert(cx, this, value.copy_deref())?;
    Ok(true)
}

pub fn extract(cx: &mut Cx, this: &PObject) -> Res<Value> {
    heap::take(cx, this)
}

pub fn top(cx: &mut Cx, this: &PObject) -> Res<Value> {
    heap::peek(cx, this)
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<Value> {
    Ok(heap::heap(cx, this)?.top().unwrap_or_default())
}

pub fn __debug_info(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    heap::debug_info(cx, this, "SplHeap")
}
