//! InfiniteIterator: starts again at the end.

use super::{Extra, construct, inner};
use jumbo_abi::{Cx, PObject, Res};

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &PObject) -> Res<()> {
    construct(cx, this, iterator, Extra::Plain, "InfiniteIterator")
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    let inner = inner(cx, this)?;
    inner.next_inner(cx, true)?;
    if inner.inner_valid(cx)? {
        inner.fetch(cx, false)?;
    } else {
        inner.rewind_inner(cx)?;
        if inner.inner_valid(cx)? {
            inner.fetch(cx, false)?;
        }
    }
    Ok(())
}
