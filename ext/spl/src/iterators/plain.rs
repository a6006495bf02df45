//! IteratorIterator.

pub use super::HOOKS;
use super::{Extra, construct, inner, refuse_second};
use jumbo_abi::{ClassPtr, Cx, PObject, PStr, Res, Value};

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &PObject, class: Option<&PStr>) -> Res<()> {
    refuse_second(cx, this, "IteratorIterator")?;
    let own = ClassPtr::of(iterator);
    let (base, aggregate) = (cx.builtin_class(b"iterator"), cx.builtin_class(b"iteratoraggregate"));
    let mut wrapped = iterator.clone();
    if !own.is_a(base) {
        let traversable = cx.builtin_class(b"traversable");
        if let Some(name) = class {
            let cast = cx.find_class(name.as_bytes(), true)?.filter(|c| own.is_a(*c) && c.is_a(traversable));
            if cast.is_none() {
                let text = "Class to downcast to not found or not base class of first parameter or does not implement Traversable";
                return Err(cx.throw("LogicException", text));
            }
        }
        if own.is_a(aggregate) {
            let given = cx.call_method(iterator, b"getiterator", &[])?.into_deref();
            wrapped = match given.as_object().filter(|o| ClassPtr::of(o).is_a(traversable)) {
                Some(object) => object.clone(),
                None => {
                    let text = [own.name.as_bytes(), b"::getIterator() must return an object that implements Traversable"].concat();
                    return Err(cx.throw("LogicException", text));
                }
            };
        }
    }
    construct(cx, this, &wrapped, Extra::Plain, "IteratorIterator")
}

pub fn get_inner_iterator(cx: &mut Cx, this: &PObject) -> Res<Value> {
    Ok(inner(cx, this)?.object().map_or(Value::null(), Value::from))
}

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    let inner = inner(cx, this)?;
    inner.rewind_inner(cx)?;
    inner.fetch(cx, true).map(drop)
}

pub fn valid(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(inner(cx, this)?.has_current())
}

pub fn key(cx: &mut Cx, this: &PObject) -> Res<Value> {
    Ok(inner(cx, this)?.key())
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<Value> {
    Ok(inner(cx, this)?.current())
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    let inner = inner(cx, this)?;
    inner.next_inner(cx, true)?;
    inner.fetch(cx, true).map(drop)
}
