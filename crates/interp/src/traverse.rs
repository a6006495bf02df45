//! Iteration over a Traversable step by step, for builtins that wrap iterators (SPL's IteratorIterator and its family).
//!
//! As `foreach` does, a builtin class's own iteration and generators are asked directly, everything else by its methods. The
//! current element of the latter is kept until the iteration moves, as PHP does: asking twice calls current() once.

use crate::iteration::{self, way};
use crate::{generator, objects};
use jumbo_abi::class::Iteration as Way;
use jumbo_abi::desc::NativeIterator;
use jumbo_abi::{ClassPtr, Cx, FnPtr, PObject, Res, Value};
use jumbo_value::Native;
use jumbo_value::object::ReservedId;
use std::cell::RefCell;

/// See [`Engine::traverse`](jumbo_abi::Engine::traverse).
pub fn traverse(cx: &mut Cx, object: &PObject) -> Res<Box<dyn NativeIterator>> {
    let mut object = object.clone();
    loop {
        let class = ClassPtr::of(&object);
        if generator::state(&object).is_some() {
            generator::check_iteration(cx, &object, false)?;
            return Ok(Box::new(Generator(Value::from(object), ReservedId::new())));
        }
        match (way(class), class.hooks.iterate) {
            (Way::Aggregate, _) => object = iteration::aggregated(cx, &object)?,
            (Way::Native, Some(hook)) => {
                let native = hook(cx, &object, false)?;
                return Ok(numbered(native));
            }
            _ => {
                let method = |name: &[u8]| class.method(name);
                let (Some(rewind), Some(valid), Some(current), Some(key), Some(next)) =
                    (method(b"rewind"), method(b"valid"), method(b"current"), method(b"key"), method(b"next"))
                else {
                    let text = [class.name.as_bytes(), b" cannot be iterated"].concat();
                    return Err(cx.throw_error(text));
                };
                let object = Value::from(object);
                return Ok(Box::new(Methods { object, class, rewind, valid, current, key, next, kept: RefCell::default(), _id: ReservedId::new() }));
            }
        }
    }
}

/// A builtin class's own iteration, with a number of objects as all iterations have it.
pub fn numbered(native: Box<dyn NativeIterator>) -> Box<dyn NativeIterator> {
    Box::new(Builtin { native, _id: ReservedId::new() })
}

struct Builtin {
    native: Box<dyn NativeIterator>,
    _id: ReservedId,
}

impl Native for Builtin {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.native.trace(visit);
    }
    fn clear(&mut self) {
        self.native.clear();
    }
}

impl NativeIterator for Builtin {
    fn rewind(&self, cx: &mut Cx) -> Res<()> {
        self.native.rewind(cx)
    }
    fn valid(&self, cx: &mut Cx) -> Res<bool> {
        self.native.valid(cx)
    }
    fn current(&self, cx: &mut Cx) -> Res<Value> {
        self.native.current(cx)
    }
    fn key(&self, cx: &mut Cx) -> Res<Value> {
        self.native.key(cx)
    }
    fn next(&self, cx: &mut Cx) -> Res<()> {
        self.native.next(cx)
    }
    fn invalidate(&self) {
        self.native.invalidate();
    }
}

/// A generator.
struct Generator(Value, #[expect(dead_code, reason = "held")] ReservedId);

impl Generator {
    fn object(&self, cx: &mut Cx) -> Res<PObject> {
        match self.0.as_object() {
            Some(o) => Ok(o.clone()),
            None => Err(cx.throw_error("The generator has been collected")),
        }
    }
}

impl Native for Generator {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.0);
    }
    fn clear(&mut self) {
        drop(self.0.take());
    }
}

impl NativeIterator for Generator {
    fn rewind(&self, cx: &mut Cx) -> Res<()> {
        let object = self.object(cx)?;
        generator::rewind(cx, &object)
    }
    fn valid(&self, cx: &mut Cx) -> Res<bool> {
        let object = self.object(cx)?;
        generator::valid(cx, &object)
    }
    fn current(&self, cx: &mut Cx) -> Res<Value> {
        let object = self.object(cx)?;
        generator::current(cx, &object, false)
    }
    fn key(&self, cx: &mut Cx) -> Res<Value> {
        let object = self.object(cx)?;
        generator::key(cx, &object)
    }
    fn next(&self, cx: &mut Cx) -> Res<()> {
        let object = self.object(cx)?;
        generator::next(cx, &object)
    }
}

/// An Iterator asked by its methods.
struct Methods {
    object: Value,
    class: ClassPtr,
    rewind: FnPtr,
    valid: FnPtr,
    current: FnPtr,
    key: FnPtr,
    next: FnPtr,
    /// The current element, once asked for.
    kept: RefCell<Option<Value>>,
    /// As the iterations of `foreach` have it.
    _id: ReservedId,
}

impl Methods {
    fn call(&self, cx: &mut Cx, method: FnPtr) -> Res<Value> {
        let object = self.object.as_object().cloned();
        cx.call_function(method, object.as_ref(), Some(self.class), &[])
    }
}

impl Native for Methods {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.object);
        if let Some(value) = &*self.kept.borrow() {
            visit(value);
        }
    }
    fn clear(&mut self) {
        drop(self.kept.take());
        drop(self.object.take());
    }
}

impl NativeIterator for Methods {
    fn rewind(&self, cx: &mut Cx) -> Res<()> {
        self.invalidate();
        self.call(cx, self.rewind).map(drop)
    }
    fn valid(&self, cx: &mut Cx) -> Res<bool> {
        let answer = self.call(cx, self.valid)?;
        objects::value_truth(cx, &answer)
    }
    fn current(&self, cx: &mut Cx) -> Res<Value> {
        let kept = self.kept.borrow().clone();
        if let Some(value) = kept {
            return Ok(value);
        }
        let value = self.call(cx, self.current)?.into_deref();
        let old = self.kept.replace(Some(value.clone()));
        drop(old);
        Ok(value)
    }
    fn key(&self, cx: &mut Cx) -> Res<Value> {
        self.call(cx, self.key).map(Value::into_deref)
    }
    fn next(&self, cx: &mut Cx) -> Res<()> {
        self.invalidate();
        self.call(cx, self.next).map(drop)
    }
    fn invalidate(&self) {
        let old = self.kept.take();
        drop(old);
    }
}
