//! `ReflectionGenerator`.

use crate::state::{self, Func, Reflected};
use jumbo_abi::engine::BacktraceOptions;
use jumbo_abi::inspect::{GeneratorInfo, GeneratorPlace};
use jumbo_abi::{Cx, PArray, PObject, PStr, Res, Value, func_flags};

/// `DEBUG_BACKTRACE_PROVIDE_OBJECT`, `DEBUG_BACKTRACE_IGNORE_ARGS`
pub fn trace_options(options: i64) -> BacktraceOptions {
    BacktraceOptions { with_object: options & 1 != 0, with_args: options & 2 == 0, limit: 0, skip: 0 }
}

pub fn __construct(_cx: &mut Cx, this: &PObject, generator: &PObject) {
    state::set(this, Reflected::Running(Value::from(generator.clone())));
}

fn info(cx: &mut Cx, this: &PObject) -> Res<GeneratorInfo> {
    let generator = state::running(cx, this)?;
    match generator.as_object().and_then(|g| cx.engine().generator_info(cx, g)) {
        Some(info) => Ok(info),
        None => Err(cx.throw_error("Internal error: Failed to retrieve the reflection object")),
    }
}

fn place(cx: &mut Cx, this: &PObject) -> Res<GeneratorPlace> {
    match info(cx, this)?.place {
        Some(place) => Ok(place),
        None => Err(state::exception(cx, "Cannot fetch information from a closed Generator")),
    }
}

pub fn get_executing_line(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(place(cx, this)?.line as i64)
}

pub fn get_executing_file(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    Ok(place(cx, this)?.file)
}

pub fn get_trace(cx: &mut Cx, this: &PObject, options: i64) -> Res<PArray> {
    place(cx, this)?;
    let generator = state::running(cx, this)?;
    Ok(generator.as_object().map_or_else(PArray::new, |g| cx.engine().generator_trace(cx, g, trace_options(options))))
}

pub fn get_function(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let info = info(cx, this)?;
    let f = match (&info.closure, info.function.scope) {
        (Some(closure), _) => Func { closure: Some(Value::from(closure.clone())), ..Func::of(info.function) },
        (None, Some(class)) if !info.function.is(func_flags::CLOSURE) => Func::method(info.function, class),
        _ => Func::of(info.function),
    };
    state::make_func(cx, f)
}

pub fn get_this(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    Ok(place(cx, this)?.this)
}

pub fn get_executing_generator(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    Ok(place(cx, this)?.executing)
}

pub fn is_closed(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(info(cx, this)?.place.is_none())
}
