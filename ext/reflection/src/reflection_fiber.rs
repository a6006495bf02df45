//! `ReflectionFiber`.

use crate::reflection_generator::trace_options;
use crate::state::{self, Reflected};
use jumbo_abi::inspect::FiberInfo;
use jumbo_abi::{Cx, PArray, PObject, PStr, Res, Value};

pub fn __construct(_cx: &mut Cx, this: &PObject, fiber: &PObject) {
    state::set(this, Reflected::Running(Value::from(fiber.clone())));
}

pub fn get_fiber(cx: &mut Cx, this: &PObject) -> Res<Value> {
    state::running(cx, this)
}

fn info(cx: &mut Cx, this: &PObject, options: i64) -> Res<FiberInfo> {
    let fiber = state::running(cx, this)?;
    Ok(fiber.as_object().map_or_else(FiberInfo::default, |f| cx.engine().fiber_info(cx, f, trace_options(options))))
}

fn alive(cx: &mut Cx, this: &PObject, options: i64) -> Res<FiberInfo> {
    let info = info(cx, this, options)?;
    if info.alive {
        return Ok(info);
    }
    Err(cx.throw_error("Cannot fetch information from a fiber that has not been started or is terminated"))
}

pub fn get_executing_line(cx: &mut Cx, this: &PObject) -> Res<Option<i64>> {
    Ok(alive(cx, this, 2)?.place.map(|(_, line)| line as i64))
}

pub fn get_executing_file(cx: &mut Cx, this: &PObject) -> Res<Option<PStr>> {
    Ok(alive(cx, this, 2)?.place.map(|(file, _)| file))
}

pub fn get_trace(cx: &mut Cx, this: &PObject, options: i64) -> Res<PArray> {
    Ok(alive(cx, this, options)?.trace)
}

pub fn get_callable(cx: &mut Cx, this: &PObject) -> Res<Value> {
    match info(cx, this, 2)?.callable {
        Some(callable) => Ok(callable),
        None => Err(cx.throw_error("Cannot fetch the callable from a fiber that has terminated")),
    }
}
