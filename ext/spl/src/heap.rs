//! The binary heap behind SplHeap and SplPriorityQueue.
//!
//! Comparisons may run PHP code: nothing is borrowed meanwhile, and the heap refuses to be changed until the running change is over. An
//! exception from a comparison leaves the heap complete, but marked as corrupted.

use jumbo_abi::{Cx, PArray, PObject, Res, Stop, Value};
use jumbo_value::Native;
use std::cell::{Cell, RefCell};

/// Compares two elements of the heap `this`: greater ones come first.
pub type Order = fn(&mut Cx, &PObject, &Value, &Value) -> Res<i32>;

pub struct Heap {
    elements: RefCell<PArray>,
    pub flags: Cell<i64>,
    pub corrupted: Cell<bool>,
    changing: Cell<bool>,
    order: Order,
}

impl Heap {
    pub fn new(order: Order, flags: i64) -> Heap {
        Heap { elements: RefCell::default(), flags: Cell::new(flags), corrupted: Cell::new(false), changing: Cell::new(false), order }
    }
    pub fn len(&self) -> usize {
        self.elements.borrow().len()
    }
    pub fn elements(&self) -> PArray {
        self.elements.borrow().clone()
    }
    pub fn top(&self) -> Option<Value> {
        self.elements.borrow().get_int(0).cloned()
    }
    fn at(&self, n: usize) -> Value {
        self.elements.borrow().get_int(n as i64).cloned().unwrap_or_default()
    }
    fn swap(&self, a: usize, b: usize) {
        let (x, y) = (self.at(a), self.at(b));
        let mut elements = self.elements.borrow_mut();
        elements.set_int(a as i64, y);
        elements.set_int(b as i64, x);
    }

    /// Refuses changes of a corrupted heap, and during a change.
    pub fn check(&self, cx: &mut Cx, write: bool) -> Res<()> {
        if self.changing.get() && write {
            return Err(cx.throw("RuntimeException", "Heap cannot be changed when it is already being modified."));
        }
        if self.corrupted.get() {
            return Err(cx.throw("RuntimeException", "Heap is corrupted, heap properties are no longer ensured."));
        }
        Ok(())
    }

    /// Runs a change; what fails in it corrupts the heap.
    fn change(&self, f: impl FnOnce() -> Res<()>) -> Res<()> {
        self.changing.set(true);
        let result = f();
        self.changing.set(false);
        if matches!(result, Err(Stop::Thrown)) {
            self.corrupted.set(true);
        }
        result
    }

    pub fn insert(&self, cx: &mut Cx, this: &PObject, value: Value) -> Res<()> {
        self.elements.borrow_mut().append(value);
        self.change(|| {
            let mut n = self.len() - 1;
            while n > 0 {
                let parent = (n - 1) / 2;
                if (self.order)(cx, this, &self.at(parent), &self.at(n))? >= 0 {
                    break;
                }
                self.swap(n, parent);
                n = parent;
            }
            Ok(())
        })
    }

    /// Takes the first element out. The change may fail after that: the value is gone then.
    pub fn extract(&self, cx: &mut Cx, this: &PObject) -> Res<Option<Value>> {
        let last = self.elements.borrow_mut().pop();
        let Some(last) = last else { return Ok(None) };
        if self.len() == 0 {
            return Ok(Some(last));
        }
        let top = self.at(0);
        self.elements.borrow_mut().set_int(0, last);
        self.change(|| {
            let (mut n, len) = (0, self.len());
            while 2 * n + 1 < len {
                let mut child = 2 * n + 1;
                if child + 1 < len && (self.order)(cx, this, &self.at(child + 1), &self.at(child))? > 0 {
                    child += 1;
                }
                if (self.order)(cx, this, &self.at(n), &self.at(child))? >= 0 {
                    break;
                }
                self.swap(n, child);
                n = child;
            }
            Ok(())
        })?;
        Ok(Some(top))
    }

    /// Takes over the elements of a serialised heap, in their order.
    pub fn set_elements(&self, elements: PArray) {
        let old = self.elements.replace(elements);
        drop(old);
    }
}

impl Native for Heap {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.elements.borrow().values().for_each(visit);
    }
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        let copy = Heap::new(self.order, self.flags.get());
        copy.corrupted.set(self.corrupted.get());
        copy.set_elements(self.elements());
        Some(Box::new(copy))
    }
    fn clear(&mut self) {
        drop(self.elements.take());
    }
}

/// The heap of an object, which its class's `create` attached.
pub fn heap<'o>(cx: &mut Cx, this: &'o PObject) -> Res<&'o Heap> {
    match this.native::<Heap>() {
        Some(heap) => Ok(heap),
        None => Err(cx.throw_error("The heap has not been initialized")),
    }
}

pub fn count(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(heap(cx, this)?.len() as i64)
}
pub fn is_empty(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(count(cx, this)? == 0)
}
pub fn rewind(_cx: &mut Cx, _this: &PObject) {}
pub fn key(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(count(cx, this)? - 1)
}
pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    let heap = heap(cx, this)?;
    heap.check(cx, true)?;
    heap.extract(cx, this).map(drop)
}
pub fn valid(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(count(cx, this)? != 0)
}
pub fn recover_from_corruption(cx: &mut Cx, this: &PObject) -> Res<bool> {
    heap(cx, this)?.corrupted.set(false);
    Ok(true)
}
pub fn is_corrupted(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(heap(cx, this)?.corrupted.get())
}

/// What comes first, for `extract`.
pub fn take(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let heap = heap(cx, this)?;
    heap.check(cx, true)?;
    match heap.extract(cx, this)? {
        Some(value) => Ok(value),
        None => Err(cx.throw("RuntimeException", "Can't extract from an empty heap")),
    }
}

/// What comes first, for `top`.
pub fn peek(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let heap = heap(cx, this)?;
    heap.check(cx, false)?;
    match heap.top() {
        Some(value) => Ok(value),
        None => Err(cx.throw("RuntimeException", "Can't peek at an empty heap")),
    }
}

/// What `compare` of the class says, which PHP code may have defined.
pub fn user_order(cx: &mut Cx, this: &PObject, a: &Value, b: &Value) -> Res<Option<i32>> {
    let class = jumbo_abi::ClassPtr::of(this);
    let Some(method) = class.method(b"compare").filter(|m| m.desc().is_none()) else { return Ok(None) };
    let answer = cx.call_function(method, Some(this), Some(class), &[a.copy_deref(), b.copy_deref()])?;
    Ok(Some(jumbo_value::convert::to_int(&answer).signum() as i32))
}

/// Native properties as var_dump shows them.
pub fn debug_info(cx: &mut Cx, this: &PObject, class: &str) -> Res<PArray> {
    let heap = heap(cx, this)?;
    let native =
        [("flags", Value::from(heap.flags.get())), ("isCorrupted", Value::from(heap.corrupted.get())), ("heap", Value::from(heap.elements()))];
    crate::support::debug_table(cx, this, class, &native)
}
