//! CachingIterator: one element ahead of what it shows.

use super::{Extra, Inner, construct, inner};
use crate::support::{ask, truth, undefined_key};
use jumbo_abi::{ClassPtr, Cx, Key, Level, PArray, PObject, PStr, Res, Stop, Value, View};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub const CALL_TOSTRING: i64 = 1;
const TOSTRING_USE_KEY: i64 = 2;
const TOSTRING_USE_CURRENT: i64 = 4;
const TOSTRING_USE_INNER: i64 = 8;
const CATCH_GET_CHILD: i64 = 16;
const FULL_CACHE: i64 = 256;
const TOSTRING: i64 = CALL_TOSTRING | TOSTRING_USE_KEY | TOSTRING_USE_CURRENT | TOSTRING_USE_INNER;

#[derive(Default)]
pub(crate) struct Cache {
    flags: Cell<i64>,
    /// The shown element exists.
    valid: Cell<bool>,
    /// Text of the shown element.
    text: RefCell<Option<PStr>>,
    /// RecursiveCachingIterator: iterator over the children of the shown element.
    children: RefCell<Value>,
    /// FULL_CACHE: all elements so far.
    all: RefCell<PArray>,
    recursive: bool,
}

impl Cache {
    pub fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.children.borrow());
        self.all.borrow().values().for_each(visit);
    }
    /// Forgets what belongs to the shown element.
    pub fn free(&self) {
        drop(self.text.take());
        drop(self.children.take());
    }
}

/// At most one way to make the text.
fn flags_fit(flags: i64) -> bool {
    (flags & TOSTRING).count_ones() <= 1
}

fn bad_flags(cx: &mut Cx, n: u32) -> Stop {
    cx.arg_value_error(
        n,
        "must contain only one of CachingIterator::CALL_TOSTRING, CachingIterator::TOSTRING_USE_KEY, CachingIterator::TOSTRING_USE_CURRENT, or CachingIterator::TOSTRING_USE_INNER",
    )
}

pub(crate) fn construct_caching(cx: &mut Cx, this: &PObject, iterator: &PObject, flags: i64, recursive: bool) -> Res<()> {
    let class = if recursive { "RecursiveCachingIterator" } else { "CachingIterator" };
    super::refuse_second(cx, this, class)?;
    if !flags_fit(flags) {
        return Err(bad_flags(cx, 2));
    }
    let cache = Cache { flags: Cell::new(flags & 0xffff), recursive, ..Cache::default() };
    construct(cx, this, iterator, Extra::Caching(cache), class)
}

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &PObject, flags: i64) -> Res<()> {
    construct_caching(cx, this, iterator, flags, false)
}

/// State and cache of a constructed iterator.
fn cache<'o>(cx: &mut Cx, this: &'o PObject) -> Res<(&'o Inner, Rc<Extra>)> {
    let inner = inner(cx, this)?;
    Ok((inner, inner.extra()))
}

/// Runs `f` with the cache.
fn with<R>(cx: &mut Cx, this: &PObject, f: impl FnOnce(&mut Cx, &Inner, &Cache) -> Res<R>) -> Res<R> {
    let (inner, extra) = cache(cx, this)?;
    match &*extra {
        Extra::Caching(cache) => f(cx, inner, cache),
        _ => Err(cx.throw_error("The object is in an invalid state as the parent constructor was not called")),
    }
}

/// An iterator over the children of the element just fetched; null when there are none.
fn children(cx: &mut Cx, inner: &Inner, flags: i64) -> Res<Value> {
    let Some(object) = inner.object() else { return Ok(Value::null()) };
    if !ask(cx, &object, b"haschildren")? {
        return Ok(Value::null());
    }
    let children = cx.call_method(&object, b"getchildren", &[])?.into_deref();
    let class = cx.builtin_class(b"recursivecachingiterator");
    cx.instantiate(class, &[children, Value::from(flags)]).map(Value::from)
}

fn advance(cx: &mut Cx, inner: &Inner, cache: &Cache) -> Res<()> {
    if !inner.fetch(cx, true)? {
        cache.valid.set(false);
        return Ok(());
    }
    cache.valid.set(true);
    let flags = cache.flags.get();
    if flags & FULL_CACHE != 0 {
        let key = cx.engine().array_key(cx, &inner.key())?;
        let old = cache.all.borrow_mut().with_slot(&key, |slot| std::mem::replace(slot, inner.current()));
        drop(old);
    }
    if cache.recursive {
        match children(cx, inner, flags) {
            Ok(found) => drop(cache.children.replace(found)),
            Err(Stop::Thrown) if flags & CATCH_GET_CHILD != 0 => drop(cx.exception.take()),
            Err(stop) => return Err(stop),
        }
    }
    if flags & (TOSTRING_USE_INNER | CALL_TOSTRING) != 0 {
        let shown = if flags & TOSTRING_USE_INNER != 0 { inner.object().map_or(Value::null(), Value::from) } else { inner.current() };
        let text = cx.to_string(&shown)?;
        *cache.text.borrow_mut() = Some(text);
    }
    inner.next_inner(cx, false)
}

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    with(cx, this, |cx, inner, cache| {
        inner.rewind_inner(cx)?;
        drop(cache.all.take());
        advance(cx, inner, cache)
    })
}

pub fn valid(cx: &mut Cx, this: &PObject) -> Res<bool> {
    with(cx, this, |_, _, cache| Ok(cache.valid.get()))
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    with(cx, this, advance)
}

pub fn has_next(cx: &mut Cx, this: &PObject) -> Res<bool> {
    inner(cx, this)?.inner_valid(cx)
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    with(cx, this, |cx, inner, cache| {
        let flags = cache.flags.get();
        if flags & TOSTRING == 0 {
            let text = [
                ClassPtr::of(this).name.as_bytes(),
                b" does not fetch string value (see CachingIterator::__construct)",
            ]
            .concat();
            return Err(cx.throw("BadMethodCallException", text));
        }
        if flags & TOSTRING_USE_KEY != 0 {
            return cx.to_string(&inner.key());
        }
        if flags & TOSTRING_USE_CURRENT != 0 {
            return cx.to_string(&inner.current());
        }
        Ok(cache.text.borrow().clone().unwrap_or_default())
    })
}

pub fn get_flags(cx: &mut Cx, this: &PObject) -> Res<i64> {
    with(cx, this, |_, _, cache| Ok(cache.flags.get()))
}

pub fn set_flags(cx: &mut Cx, this: &PObject, flags: i64) -> Res<()> {
    with(cx, this, |cx, _, cache| {
        if !flags_fit(flags) {
            return Err(bad_flags(cx, 1));
        }
        let old = cache.flags.get();
        if old & CALL_TOSTRING != 0 && flags & CALL_TOSTRING == 0 {
            return Err(cx.throw("InvalidArgumentException", "Unsetting flag CALL_TO_STRING is not possible"));
        }
        if old & TOSTRING_USE_INNER != 0 && flags & TOSTRING_USE_INNER == 0 {
            return Err(cx.throw("InvalidArgumentException", "Unsetting flag TOSTRING_USE_INNER is not possible"));
        }
        if flags & FULL_CACHE != 0 && old & FULL_CACHE == 0 {
            drop(cache.all.take());
        }
        cache.flags.set(flags & 0xffff);
        Ok(())
    })
}

/// Runs `f` with the cache of all elements.
fn with_all<R>(cx: &mut Cx, this: &PObject, f: impl FnOnce(&mut Cx, &Cache) -> Res<R>) -> Res<R> {
    with(cx, this, |cx, _, cache| {
        if cache.flags.get() & FULL_CACHE == 0 {
            let text = [ClassPtr::of(this).name.as_bytes(), b" does not use a full cache (see CachingIterator::__construct)"].concat();
            return Err(cx.throw("BadMethodCallException", text));
        }
        f(cx, cache)
    })
}

/// An offset, which must be text although the signature does not say so.
fn text(cx: &mut Cx, key: &Value) -> Res<PStr> {
    let fits = match key.view_deref() {
        View::Array(_) | View::Resource(_) => false,
        View::Object(o) => ClassPtr::of(o).magic.to_string.is_some(),
        View::Null | View::Undef => {
            let function = cx.active_function_name();
            let text = [function.as_slice(), b"(): Passing null to parameter #1 ($key) of type string is deprecated"].concat();
            cx.raise(Level::Deprecated, &text)?;
            true
        }
        _ => true,
    };
    if fits {
        return cx.to_string(key);
    }
    Err(cx.arg_type_error(1, [b"must be of type string, ".as_slice(), &jumbo_abi::args::type_name(key), b" given"].concat()))
}

fn text_key(cx: &mut Cx, key: &Value) -> Res<Key> {
    Ok(Key::from_str(&text(cx, key)?))
}

pub fn offset_get(cx: &mut Cx, this: &PObject, key: &Value) -> Res<Value> {
    with_all(cx, this, |cx, cache| {
        let text = text(cx, key)?;
        let found = cache.all.borrow().get(&Key::from_str(&text)).map(Value::copy_deref);
        match found {
            Some(value) => Ok(value),
            None => {
                undefined_key(cx, &Key::Str(text))?;
                Ok(Value::null())
            }
        }
    })
}

pub fn offset_set(cx: &mut Cx, this: &PObject, key: &Value, value: &Value) -> Res<()> {
    with_all(cx, this, |cx, cache| {
        let key = text_key(cx, key)?;
        let old = cache.all.borrow_mut().with_slot(&key, |slot| std::mem::replace(slot, value.copy_deref()));
        drop(old);
        Ok(())
    })
}

pub fn offset_unset(cx: &mut Cx, this: &PObject, key: &Value) -> Res<()> {
    with_all(cx, this, |cx, cache| {
        let key = text_key(cx, key)?;
        let old = cache.all.borrow_mut().remove(&key);
        drop(old);
        Ok(())
    })
}

pub fn offset_exists(cx: &mut Cx, this: &PObject, key: &Value) -> Res<bool> {
    with_all(cx, this, |cx, cache| {
        let key = text_key(cx, key)?;
        Ok(cache.all.borrow().get(&key).is_some_and(|v| !v.deref().is_null()))
    })
}

pub fn get_cache(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    with_all(cx, this, |_, cache| Ok(cache.all.borrow().clone()))
}

pub fn count(cx: &mut Cx, this: &PObject) -> Res<i64> {
    with_all(cx, this, |_, cache| Ok(cache.all.borrow().len() as i64))
}

/// `hasChildren` and `getChildren` of RecursiveCachingIterator.
pub fn shown_children(cx: &mut Cx, this: &PObject) -> Res<Value> {
    with(cx, this, |_, _, cache| Ok(cache.children.borrow().clone()))
}

pub fn has_shown_children(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let children = shown_children(cx, this)?;
    truth(cx, &children)
}
