//! LimitIterator: a part of the wrapped iterator.

use super::{Extra, Inner, construct, inner};
use jumbo_abi::{ClassPtr, Cx, PObject, Res, Value};

pub(crate) struct Limits {
    offset: i64,
    /// -1: to the end.
    count: i64,
}

impl Limits {
    /// Is a position before the end?
    fn allows(&self, position: i64) -> bool {
        self.count == -1 || position.saturating_sub(self.offset) < self.count
    }
}

fn limits(inner: &Inner) -> (i64, i64) {
    match &*inner.extra() {
        Extra::Limit(l) => (l.offset, l.count),
        _ => (0, -1),
    }
}

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &PObject, offset: i64, limit: i64) -> Res<()> {
    super::refuse_second(cx, this, "LimitIterator")?;
    if offset < 0 {
        return Err(cx.arg_value_error(2, "must be greater than or equal to 0"));
    }
    if limit < -1 {
        return Err(cx.arg_value_error(3, "must be greater than or equal to -1"));
    }
    construct(cx, this, iterator, Extra::Limit(Limits { offset, count: limit }), "LimitIterator")
}

fn valid_there(cx: &mut Cx, inner: &Inner) -> Res<bool> {
    let (offset, count) = limits(inner);
    if !(Limits { offset, count }).allows(inner.position()) {
        return Ok(false);
    }
    inner.inner_valid(cx)
}

fn go_to(cx: &mut Cx, inner: &Inner, position: i64) -> Res<()> {
    let (offset, count) = limits(inner);
    inner.free();
    if position < offset {
        return Err(cx.throw("OutOfBoundsException", format!("Cannot seek to {position} which is below the offset {offset}")));
    }
    if !(Limits { offset, count }).allows(position) {
        return Err(cx.throw(
            "OutOfBoundsException",
            format!("Cannot seek to {position} which is behind offset {offset} plus count {count}"),
        ));
    }
    let seekable = cx.builtin_class(b"seekableiterator");
    if position != inner.position() && inner.object().is_some_and(|o| ClassPtr::of(&o).is_a(seekable)) {
        inner.call(cx, b"seek", &[Value::from(position)])?;
        inner.free();
        inner.position.set(position);
        if valid_there(cx, inner)? {
            inner.fetch(cx, false)?;
        }
        return Ok(());
    }
    if position < inner.position() {
        inner.rewind_inner(cx)?;
    }
    while inner.position() < position && inner.inner_valid(cx)? {
        inner.next_inner(cx, true)?;
    }
    if inner.inner_valid(cx)? {
        inner.fetch(cx, true)?;
    }
    Ok(())
}

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    let inner = inner(cx, this)?;
    inner.rewind_inner(cx)?;
    let (offset, _) = limits(inner);
    if limits(inner).1 == 0 {
        return Ok(());
    }
    go_to(cx, inner, offset)
}

pub fn valid(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let inner = inner(cx, this)?;
    let (offset, count) = limits(inner);
    Ok(Limits { offset, count }.allows(inner.position()) && inner.has_current())
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    let inner = inner(cx, this)?;
    inner.next_inner(cx, true)?;
    let (offset, count) = limits(inner);
    if (Limits { offset, count }).allows(inner.position()) {
        inner.fetch(cx, true)?;
    }
    Ok(())
}

pub fn seek(cx: &mut Cx, this: &PObject, offset: i64) -> Res<i64> {
    let inner = inner(cx, this)?;
    go_to(cx, inner, offset)?;
    Ok(inner.position())
}

pub fn get_position(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(inner(cx, this)?.position())
}
