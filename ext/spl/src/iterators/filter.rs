//! FilterIterator: elements that `accept()` takes.

use super::{Extra, construct, inner};
use crate::support::ask;
use jumbo_abi::{Cx, PObject, Res};

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &PObject) -> Res<()> {
    construct(cx, this, iterator, Extra::Plain, "FilterIterator")
}

/// Fetches the next element that is accepted.
fn fetch(cx: &mut Cx, this: &PObject) -> Res<()> {
    let inner = inner(cx, this)?;
    while inner.fetch(cx, true)? {
        if ask(cx, this, b"accept")? {
            return Ok(());
        }
        inner.next_inner(cx, false)?;
        cx_check(cx)?;
    }
    inner.free();
    Ok(())
}

/// A filter that accepts nothing of an endless iterator must be stoppable.
fn cx_check(cx: &mut Cx) -> Res<()> {
    if cx.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
        return cx.engine().interrupted(cx);
    }
    Ok(())
}

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    inner(cx, this)?.rewind_inner(cx)?;
    fetch(cx, this)
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    inner(cx, this)?.next_inner(cx, true)?;
    fetch(cx, this)
}
