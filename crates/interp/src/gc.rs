//! Running the cycle collector at safe points.

use crate::objects;
use jumbo_abi::{Cx, Res, Stop};
use jumbo_value::heap::pending;
use jumbo_value::{Heap, PObject};

/// Collects cycles now; returns how many things were freed. Destructors of garbage run first; an exception of one is reported after.
pub fn collect(cx: &mut Cx) -> Res<usize> {
    // What the program would have had collected by now is not this call's.
    collect_if_requested(cx)?;
    let mut result = Ok(());
    let n = Heap::current().gc_collect(|object| destruct(cx, object, &mut result));
    result.map(|()| n)
}

/// Calls a destructor for the collector, with those of what dies inside of it.
fn destruct(cx: &mut Cx, object: &PObject, result: &mut Res<()>) {
    // In a fiber a destructor may suspend: it gets a fiber of its own, so that the collection goes on.
    if *result == Err(Stop::Fatal) {
        return;
    }
    let answer = if crate::fiber::current(cx).is_some() { crate::fiber::run_destructor(cx, object) } else { objects::destruct(cx, object) };
    if let Err(stop) = answer {
        *result = Err(stop);
    }
    if let Err(stop) = objects::run_destructors(cx) {
        *result = Err(result.err().map_or(stop, |before| stop.after(before)));
    }
}

/// Collects when the buffer of possible roots is full.
pub fn collect_if_requested(cx: &mut Cx) -> Res<()> {
    if Heap::current().pending().get() & pending::GC == 0 {
        return Ok(());
    }
    let mut result = Ok(());
    Heap::current().gc_collect_requested(|object| destruct(cx, object, &mut result));
    result
}
