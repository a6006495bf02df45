//! RecursiveTreeIterator: a tree as lines of text.

use crate::recursive_iterator_iterator::{self as tree, State, construct, root_of, state};
use crate::support::ask;
use jumbo_abi::{ClassPtr, Cx, PObject, PStr, Res, Value};
use jumbo_value::PStrBuilder;

const BYPASS_CURRENT: i64 = 4;
const BYPASS_KEY: i64 = 8;
const POSTFIX: usize = 6;

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &Value, flags: i64, caching_flags: i64, mode: i64) -> Res<()> {
    let traversable = cx.builtin_class(b"traversable");
    let Some(object) = iterator.deref().as_object().filter(|o| ClassPtr::of(o).is_a(traversable)).cloned() else {
        return Err(cx.throw("InvalidArgumentException", "An instance of RecursiveIterator or IteratorAggregate creating it is required"));
    };
    let root = root_of(cx, &object)?;
    let class = cx.builtin_class(b"recursivecachingiterator");
    let caching = cx.instantiate(class, &[Value::from(root), Value::from(caching_flags)])?;
    construct(cx, this, &caching, mode, flags)
}

fn has_next(cx: &mut Cx, state: &State, level: usize) -> Res<bool> {
    match state.object(level) {
        Some(object) => ask(cx, &object, b"hasnext"),
        None => Ok(false),
    }
}

fn prefix(cx: &mut Cx, state: &State) -> Res<PStrBuilder> {
    let part = |n: usize| state.tree.borrow()[n].clone();
    let mut text = PStrBuilder::new();
    text.extend(&part(0))?;
    let depth = state.depth();
    for level in 0..depth {
        let more = has_next(cx, state, level)?;
        text.extend(&part(if more { 1 } else { 2 }))?;
    }
    let more = has_next(cx, state, depth)?;
    text.extend(&part(if more { 3 } else { 4 }))?;
    text.extend(&part(5))?;
    Ok(text)
}

fn postfix(state: &State) -> PStr {
    state.tree.borrow()[POSTFIX].clone()
}

fn entry(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let value = tree::current(cx, this)?;
    // Branches are shown as PHP shows arrays, without a warning.
    if value.is_array() {
        return Ok(PStr::from("Array"));
    }
    cx.to_string(&value)
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let state = state(cx, this)?;
    if state.flags.get() & BYPASS_CURRENT != 0 {
        return tree::current(cx, this);
    }
    let entry = entry(cx, this)?;
    let prefix = prefix(cx, state)?;
    Ok(Value::from(PStr::concat(&[&prefix, entry.as_bytes(), postfix(state).as_bytes()])))
}

pub fn key(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let state = state(cx, this)?;
    let key = tree::key(cx, this)?;
    if state.flags.get() & BYPASS_KEY != 0 {
        return Ok(key);
    }
    let key = cx.to_string(&key)?;
    let prefix = prefix(cx, state)?;
    Ok(Value::from(PStr::concat(&[&prefix, key.as_bytes(), postfix(state).as_bytes()])))
}

pub fn get_prefix(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let state = state(cx, this)?;
    prefix(cx, state).map(PStrBuilder::finish)
}

pub fn get_entry(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    state(cx, this)?;
    entry(cx, this)
}

pub fn get_postfix(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    Ok(postfix(state(cx, this)?))
}

pub fn set_postfix(cx: &mut Cx, this: &PObject, postfix: &PStr) -> Res<()> {
    state(cx, this)?.tree.borrow_mut()[POSTFIX] = postfix.clone();
    Ok(())
}

pub fn set_prefix_part(cx: &mut Cx, this: &PObject, part: i64, value: &PStr) -> Res<()> {
    let Some(n) = usize::try_from(part).ok().filter(|n| *n < POSTFIX) else {
        return Err(cx.arg_value_error(1, "must be a RecursiveTreeIterator::PREFIX_* constant"));
    };
    state(cx, this)?.tree.borrow_mut()[n] = value.clone();
    Ok(())
}
