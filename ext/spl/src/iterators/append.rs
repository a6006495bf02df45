//! AppendIterator: one iterator after the other.

use super::{Extra, Inner, inner, refuse_second};
use jumbo_abi::desc::NativeIterator;
use jumbo_abi::{Cx, PArray, PObject, Res, Value};
use std::rc::Rc;

/// The appended iterators, in an ArrayIterator that `getArrayIterator` gives out.
pub(crate) struct Iterators {
    list: Value,
    steps: Rc<dyn NativeIterator>,
}

impl Iterators {
    pub fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.list);
        self.steps.trace(visit);
    }
}

pub fn __construct(cx: &mut Cx, this: &PObject) -> Res<()> {
    refuse_second(cx, this, "AppendIterator")?;
    let class = cx.builtin_class(b"arrayiterator");
    let list = cx.instantiate(class, &[Value::from(PArray::new())])?;
    let steps = Rc::from(cx.traverse(&list)?);
    let Some(inner) = this.native::<Inner>() else { return Err(cx.throw_error("The iterator has no state")) };
    drop(inner.extra.replace(Rc::new(Extra::Append(Iterators { list: Value::from(list), steps }))));
    Ok(())
}

/// Runs `f` with the appended iterators.
fn with<R>(cx: &mut Cx, this: &PObject, f: impl FnOnce(&mut Cx, &Inner, &PObject, &Rc<dyn NativeIterator>) -> Res<R>) -> Res<R> {
    let inner = inner(cx, this)?;
    let extra = inner.extra();
    match &*extra {
        Extra::Append(Iterators { list, steps }) if list.is_object() => match list.as_object() {
            Some(list) => f(cx, inner, list, steps),
            None => Err(cx.throw_error("The AppendIterator has been collected")),
        },
        _ => Err(cx.throw_error("The object is in an invalid state as the parent constructor was not called")),
    }
}

/// Takes the iterator on which the list stands, and rewinds it. False: the list is at its end.
fn next_iterator(cx: &mut Cx, inner: &Inner, steps: &Rc<dyn NativeIterator>) -> Res<bool> {
    inner.free();
    inner.replace_inner(None);
    if !steps.valid(cx)? {
        return Ok(false);
    }
    let value = steps.current(cx)?.into_deref();
    let Some(object) = value.as_object() else { return Ok(false) };
    let own = Rc::from(cx.traverse(object)?);
    inner.replace_inner(Some((object.clone(), own)));
    inner.rewind_inner(cx)?;
    Ok(true)
}

fn fetch(cx: &mut Cx, inner: &Inner, steps: &Rc<dyn NativeIterator>) -> Res<()> {
    while !inner.inner_valid(cx)? {
        steps.next(cx)?;
        if !next_iterator(cx, inner, steps)? {
            return Ok(());
        }
    }
    inner.fetch(cx, false).map(drop)
}

pub fn append(cx: &mut Cx, this: &PObject, iterator: &PObject) -> Res<()> {
    with(cx, this, |cx, inner, list, steps| {
        let value = Value::from(iterator.clone());
        let at_end = steps.valid(cx)? && !inner.inner_valid(cx)?;
        crate::array_object::append(cx, list, &value)?;
        if at_end {
            steps.next(cx)?;
        }
        if inner.object().is_none() || !inner.inner_valid(cx)? {
            if !steps.valid(cx)? {
                steps.rewind(cx)?;
            }
            loop {
                if !next_iterator(cx, inner, steps)? {
                    break;
                }
                if inner.object().as_ref() == Some(iterator) {
                    break;
                }
                steps.next(cx)?;
            }
            fetch(cx, inner, steps)?;
        }
        Ok(())
    })
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let inner = inner(cx, this)?;
    inner.fetch(cx, true)?;
    Ok(inner.current())
}

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    with(cx, this, |cx, inner, _, steps| {
        steps.rewind(cx)?;
        if next_iterator(cx, inner, steps)? {
            fetch(cx, inner, steps)?;
        }
        Ok(())
    })
}

pub fn valid(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(inner(cx, this)?.has_current())
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    with(cx, this, |cx, inner, _, steps| {
        if inner.inner_valid(cx)? {
            inner.next_inner(cx, true)?;
        }
        if inner.object().is_none() {
            inner.free();
            return Ok(());
        }
        fetch(cx, inner, steps)
    })
}

pub fn get_iterator_index(cx: &mut Cx, this: &PObject) -> Res<Value> {
    with(cx, this, |cx, inner, list, _| {
        if inner.object().is_none() {
            return Ok(Value::null());
        }
        Ok(crate::array_object::key(cx, list))
    })
}

pub fn get_array_iterator(cx: &mut Cx, this: &PObject) -> Res<Value> {
    with(cx, this, |_, _, list, _| Ok(Value::from(list.clone())))
}
