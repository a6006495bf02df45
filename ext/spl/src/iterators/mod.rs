//! Iterators that wrap another one: IteratorIterator and its family.
//!
//! All share one native state, [`Inner`]: the wrapped iterator, the element fetched from it and its position, and what the particular class
//! needs beside it ([`Extra`]). An element is fetched when the outer iterator moves, not when it is asked for.
//!
//! Hazards: every step may run PHP code, which may use the outer iterator again: nothing is borrowed across a step.

pub mod append;
pub mod caching;
pub mod callback;
pub mod empty;
pub mod filter;
pub mod infinite;
pub mod limit;
pub mod no_rewind;
pub mod parent;
pub mod plain;
pub mod recursive_caching;
pub mod recursive_callback;
pub mod recursive_filter;
pub mod recursive_regex;
pub mod regex;

use jumbo_abi::desc::NativeIterator;
use jumbo_abi::{ClassHooks, Cx, PObject, Res, Value};
use jumbo_value::Native;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What one class of the family needs beside the wrapped iterator.
#[derive(Default)]
pub(crate) enum Extra {
    /// The constructor has not run.
    #[default]
    None,
    Plain,
    Limit(limit::Limits),
    Caching(caching::Cache),
    Callback(Value),
    Append(append::Iterators),
    Regex(regex::Regex),
}

/// The native state of the family.
#[derive(Default)]
pub(crate) struct Inner {
    /// Goes before the object, as in PHP: the numbers that are free afterwards are seen.
    steps: RefCell<Option<Rc<dyn NativeIterator>>>,
    /// The wrapped object; null: none (yet).
    object: RefCell<Value>,
    /// The fetched element; undefined: none.
    current: RefCell<Value>,
    key: RefCell<Value>,
    position: Cell<i64>,
    extra: RefCell<Rc<Extra>>,
}

impl Native for Inner {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.object.borrow());
        visit(&self.current.borrow());
        visit(&self.key.borrow());
        let steps = self.steps.borrow().clone();
        if let Some(steps) = steps {
            steps.trace(visit);
        }
        match &**self.extra.borrow() {
            Extra::Callback(callback) => visit(callback),
            Extra::Caching(cache) => cache.trace(visit),
            Extra::Append(iterators) => iterators.trace(visit),
            _ => {}
        }
    }
    fn clear(&mut self) {
        drop(self.steps.take());
        drop(self.object.take());
        drop(self.current.take());
        drop(self.key.take());
        drop(self.extra.take());
    }
}

pub static HOOKS: ClassHooks =
    ClassHooks { create: Some(create), uncloneable: true, delegate: Some(wrapped), ..ClassHooks::NONE };

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    let inner = Inner::default();
    *inner.current.borrow_mut() = Value::undef();
    // A new object has no state yet.
    let _ = object.set_native(Box::new(inner));
    Ok(())
}

/// Methods that the class does not have are the wrapped object's.
fn wrapped(_cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    Ok(this.native::<Inner>().and_then(|inner| inner.object.borrow().as_object().cloned()))
}

/// The state of a constructed iterator.
pub(crate) fn inner<'o>(cx: &mut Cx, this: &'o PObject) -> Res<&'o Inner> {
    match this.native::<Inner>() {
        Some(inner) if !matches!(**inner.extra.borrow(), Extra::None) => Ok(inner),
        _ => Err(cx.throw_error("The object is in an invalid state as the parent constructor was not called")),
    }
}

/// Takes the wrapped object over: what all constructors do. `class`: the one that messages name.
pub(crate) fn construct(cx: &mut Cx, this: &PObject, object: &PObject, extra: Extra, class: &str) -> Res<()> {
    refuse_second(cx, this, class)?;
    let steps = cx.traverse(object)?;
    let Some(inner) = this.native::<Inner>() else { return Err(cx.throw_error("The iterator has no state")) };
    drop(inner.object.replace(Value::from(object.clone())));
    drop(inner.steps.replace(Some(Rc::from(steps))));
    drop(inner.extra.replace(Rc::new(extra)));
    Ok(())
}

/// A constructor that runs a second time.
pub(crate) fn refuse_second(cx: &mut Cx, this: &PObject, class: &str) -> Res<()> {
    let first = this.native::<Inner>().is_none_or(|inner| matches!(**inner.extra.borrow(), Extra::None));
    if first {
        return Ok(());
    }
    Err(cx.throw("BadMethodCallException", format!("{class}::getIterator() must be called exactly once per instance")))
}

impl Inner {
    pub fn extra(&self) -> Rc<Extra> {
        self.extra.borrow().clone()
    }
    pub fn object(&self) -> Option<PObject> {
        self.object.borrow().as_object().cloned()
    }
    fn steps(&self, cx: &mut Cx) -> Res<Rc<dyn NativeIterator>> {
        match self.steps.borrow().clone() {
            Some(steps) => Ok(steps),
            None => Err(cx.throw_error("The inner constructor wasn't initialized with an iterator instance")),
        }
    }
    /// The fetched element is there.
    pub fn has_current(&self) -> bool {
        !self.current.borrow().is_undef()
    }
    pub fn current(&self) -> Value {
        let value = self.current.borrow().clone();
        if value.is_undef() { Value::null() } else { value }
    }
    pub fn key(&self) -> Value {
        let key = self.key.borrow().clone();
        if key.is_undef() { Value::null() } else { key }
    }
    pub fn set_current(&self, value: Value) {
        drop(self.current.replace(value));
    }
    pub fn set_key(&self, key: Value) {
        drop(self.key.replace(key));
    }
    pub fn position(&self) -> i64 {
        self.position.get()
    }
    /// Forgets the fetched element.
    pub fn free(&self) {
        let steps = self.steps.borrow().clone();
        if let Some(steps) = steps {
            steps.invalidate();
        }
        self.set_current(Value::undef());
        self.set_key(Value::undef());
        if let Extra::Caching(cache) = &*self.extra() {
            cache.free();
        }
    }
    /// The wrapped iterator goes back to its start.
    pub fn rewind_inner(&self, cx: &mut Cx) -> Res<()> {
        self.free();
        self.position.set(0);
        match self.steps.borrow().clone() {
            Some(steps) => steps.rewind(cx),
            None => Ok(()),
        }
    }
    pub fn inner_valid(&self, cx: &mut Cx) -> Res<bool> {
        match self.steps.borrow().clone() {
            Some(steps) => steps.valid(cx),
            None => Ok(false),
        }
    }
    /// Moves the wrapped iterator on.
    pub fn next_inner(&self, cx: &mut Cx, free: bool) -> Res<()> {
        if free {
            self.free();
        }
        let steps = self.steps(cx)?;
        steps.next(cx)?;
        self.position.set(self.position.get().saturating_add(1));
        Ok(())
    }
    /// Fetches element and key. False: there is none.
    pub fn fetch(&self, cx: &mut Cx, check: bool) -> Res<bool> {
        self.free();
        if check && !self.inner_valid(cx)? {
            return Ok(false);
        }
        let steps = self.steps(cx)?;
        let value = steps.current(cx)?.into_deref();
        self.set_current(value);
        match steps.key(cx) {
            Ok(key) => self.set_key(key.into_deref()),
            Err(stop) => {
                self.free();
                return Err(stop);
            }
        }
        Ok(true)
    }
    /// Element and key as the wrapped iterator has them now.
    pub fn live_current(&self, cx: &mut Cx) -> Res<Value> {
        self.steps(cx)?.current(cx).map(Value::into_deref)
    }
    pub fn live_key(&self, cx: &mut Cx) -> Res<Value> {
        self.steps(cx)?.key(cx).map(Value::into_deref)
    }
    /// Another iterator takes the place of the wrapped one.
    pub fn replace_inner(&self, object: Option<(PObject, Rc<dyn NativeIterator>)>) {
        let (object, steps) = match object {
            Some((object, steps)) => (Value::from(object), Some(steps)),
            None => (Value::null(), None),
        };
        drop(self.steps.replace(steps));
        drop(self.object.replace(object));
    }
    /// Calls a method of the wrapped object.
    pub fn call(&self, cx: &mut Cx, lower: &[u8], args: &[Value]) -> Res<Value> {
        match self.object() {
            Some(object) => cx.call_method(&object, lower, args).map(Value::into_deref),
            None => Err(cx.throw_error("The inner constructor wasn't initialized with an iterator instance")),
        }
    }
}
