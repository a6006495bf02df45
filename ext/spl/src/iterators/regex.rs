//! RegexIterator: elements that match a pattern, or what matched.

use super::{Extra, construct, inner};
use jumbo_abi::{Cx, PObject, PRef, PStr, Res, Stop, Value};
use std::cell::Cell;

const USE_KEY: i64 = 1;
const INVERT_MATCH: i64 = 2;
const MATCH: i64 = 0;
const GET_MATCH: i64 = 1;
const ALL_MATCHES: i64 = 2;
const SPLIT: i64 = 3;
const REPLACE: i64 = 4;

pub(crate) struct Regex {
    pattern: PStr,
    mode: Cell<i64>,
    flags: Cell<i64>,
    preg_flags: Cell<i64>,
}

fn bad_mode(cx: &mut Cx, n: u32) -> Stop {
    cx.arg_value_error(
        n,
        "must be RegexIterator::MATCH, RegexIterator::GET_MATCH, RegexIterator::ALL_MATCHES, RegexIterator::SPLIT, or RegexIterator::REPLACE",
    )
}

pub(crate) fn construct_regex(cx: &mut Cx, this: &PObject, iterator: &PObject, pattern: &PStr, numbers: [i64; 3], class: &str) -> Res<()> {
    super::refuse_second(cx, this, class)?;
    let [mode, flags, preg_flags] = numbers;
    if !(MATCH..=REPLACE).contains(&mode) {
        return Err(bad_mode(cx, 3));
    }
    // A pattern that is none is refused here.
    let compiled = cx.call_builtin("preg_match", &[Value::from(pattern.clone()), Value::empty_string()])?;
    if compiled.is_false() {
        return Err(cx.throw("InvalidArgumentException", "Invalid regular expression"));
    }
    let regex =
        Regex { pattern: pattern.clone(), mode: Cell::new(mode), flags: Cell::new(flags), preg_flags: Cell::new(preg_flags) };
    construct(cx, this, iterator, Extra::Regex(regex), class)
}

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &PObject, pattern: &PStr, mode: i64, flags: i64, preg_flags: i64) -> Res<()> {
    construct_regex(cx, this, iterator, pattern, [mode, flags, preg_flags], "RegexIterator")
}

/// Runs `f` with the pattern and its settings.
fn with<R>(cx: &mut Cx, this: &PObject, f: impl FnOnce(&mut Cx, &Regex) -> Res<R>) -> Res<R> {
    let extra = inner(cx, this)?.extra();
    match &*extra {
        Extra::Regex(regex) => f(cx, regex),
        _ => Err(cx.throw_error("The object is in an invalid state as the parent constructor was not called")),
    }
}

pub fn accept(cx: &mut Cx, this: &PObject) -> Res<bool> {
    with(cx, this, |cx, regex| {
        let inner = inner(cx, this)?;
        if !inner.has_current() {
            return Ok(false);
        }
        let use_key = regex.flags.get() & USE_KEY != 0;
        let subject = if use_key {
            inner.key()
        } else {
            let value = inner.current();
            if value.is_array() {
                return Ok(false);
            }
            value
        };
        let subject = cx.to_string(&subject)?;
        let pattern = Value::from(regex.pattern.clone());
        let preg_flags = Value::from(regex.preg_flags.get());
        let accepted = match regex.mode.get() {
            MATCH => jumbo_value::convert::to_int(&cx.call_builtin("preg_match", &[pattern, Value::from(subject)])?) > 0,
            mode @ (GET_MATCH | ALL_MATCHES) => {
                let matches = PRef::new(Value::empty_array());
                let function = if mode == GET_MATCH { "preg_match" } else { "preg_match_all" };
                let mut args = vec![pattern, Value::from(subject), Value::from(matches.clone())];
                if regex.preg_flags.get() != 0 {
                    args.push(preg_flags);
                }
                let count = cx.call_builtin(function, &args)?;
                inner.set_current(matches.get().into_deref());
                jumbo_value::convert::to_int(&count) > 0
            }
            SPLIT => {
                let parts = cx.call_builtin("preg_split", &[pattern, Value::from(subject), Value::from(-1i64), preg_flags])?;
                let count = parts.as_array().map_or(0, jumbo_abi::PArray::len);
                inner.set_current(parts);
                count > 1
            }
            _ => {
                let replacement = cx.read_property(this, b"replacement")?;
                let replacement = cx.to_string(&replacement)?;
                let matched = cx.call_builtin("preg_match", &[pattern.clone(), Value::from(subject.clone())])?;
                let result = cx.call_builtin("preg_replace", &[pattern, Value::from(replacement), Value::from(subject)])?;
                if use_key {
                    inner.set_key(result);
                } else {
                    inner.set_current(result);
                }
                jumbo_value::convert::to_int(&matched) > 0
            }
        };
        Ok(accepted != (regex.flags.get() & INVERT_MATCH != 0))
    })
}

pub fn get_mode(cx: &mut Cx, this: &PObject) -> Res<i64> {
    with(cx, this, |_, regex| Ok(regex.mode.get()))
}

pub fn set_mode(cx: &mut Cx, this: &PObject, mode: i64) -> Res<()> {
    if !(MATCH..=REPLACE).contains(&mode) {
        return Err(bad_mode(cx, 1));
    }
    with(cx, this, |_, regex| {
        regex.mode.set(mode);
        Ok(())
    })
}

pub fn get_flags(cx: &mut Cx, this: &PObject) -> Res<i64> {
    with(cx, this, |_, regex| Ok(regex.flags.get()))
}

pub fn set_flags(cx: &mut Cx, this: &PObject, flags: i64) -> Res<()> {
    with(cx, this, |_, regex| {
        regex.flags.set(flags);
        Ok(())
    })
}

pub fn get_regex(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    with(cx, this, |_, regex| Ok(regex.pattern.clone()))
}

pub fn get_preg_flags(cx: &mut Cx, this: &PObject) -> Res<i64> {
    with(cx, this, |_, regex| Ok(regex.preg_flags.get()))
}

pub fn set_preg_flags(cx: &mut Cx, this: &PObject, preg_flags: i64) -> Res<()> {
    with(cx, this, |_, regex| {
        regex.preg_flags.set(preg_flags);
        Ok(())
    })
}

/// What the constructor of a child iterator gets behind the children.
pub(crate) fn settings(cx: &mut Cx, this: &PObject) -> Res<[Value; 4]> {
    with(cx, this, |_, r| {
        Ok([Value::from(r.pattern.clone()), Value::from(r.mode.get()), Value::from(r.flags.get()), Value::from(r.preg_flags.get())])
    })
}
