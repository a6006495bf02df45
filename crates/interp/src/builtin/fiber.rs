//! `Fiber` and `FiberError`. The work is in [`crate::fiber`].

use super::{class, method, nullable_class, of, optional, param, sealed, static_method, variadic};
use crate::fiber::{self, Status};
use jumbo_abi::args;
use jumbo_abi::{Call, ClassDesc, ClassHooks, Cx, FnDesc, ParamDesc, Res, Value, class_flags, mask};

static CONSTRUCT: [ParamDesc; 1] = [param("callback", of(mask::CALLABLE))];
static START: [ParamDesc; 1] = [variadic("args", of(mask::MIXED))];
static VALUE: [ParamDesc; 1] = [optional("value", of(mask::MIXED), "null")];
static THROW: [ParamDesc; 1] = [param("exception", class(&["Throwable"]))];

static METHODS: [FnDesc; 11] = [
    method("__construct", &CONSTRUCT, 1, None, construct),
    method("start", &START, 0, of(mask::MIXED), start),
    method("resume", &VALUE, 0, of(mask::MIXED), resume),
    method("throw", &THROW, 1, of(mask::MIXED), throw),
    method("isStarted", &[], 0, of(mask::BOOL), is_started),
    method("isSuspended", &[], 0, of(mask::BOOL), is_suspended),
    method("isRunning", &[], 0, of(mask::BOOL), is_running),
    method("isTerminated", &[], 0, of(mask::BOOL), is_terminated),
    method("getReturn", &[], 0, of(mask::MIXED), get_return),
    static_method("suspend", &VALUE, 0, of(mask::MIXED), suspend),
    static_method("getCurrent", &[], 0, nullable_class(&["Fiber"]), get_current),
];

static HOOKS: ClassHooks = ClassHooks { uncloneable: true, ..ClassHooks::NONE };

pub const FIBER: ClassDesc = sealed("Fiber", &[], &METHODS, &HOOKS);

static ERROR_METHODS: [FnDesc; 1] = [method("__construct", &[], 0, None, construct_error)];

pub const FIBER_ERROR: ClassDesc = ClassDesc {
    name: "FiberError",
    parent: Some("Error"),
    interfaces: &[],
    flags: class_flags::FINAL,
    constants: &[],
    properties: &[],
    methods: &ERROR_METHODS,
    enum_backing: 0,
    hooks: &ClassHooks::NONE,
    attributes: &[],
};

fn construct_error(cx: &mut Cx, _call: &mut Call) -> Res<Value> {
    Err(cx.throw_error(b"The \"FiberError\" class is reserved for internal use and cannot be manually instantiated"))
}

fn construct(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let callable = args::callable(cx, call, 0, false)?;
    fiber::construct(cx, &call.this(), callable)?;
    Ok(Value::null())
}
fn start(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let arguments = call.args.to_vec();
    let named = cx.engine().named_arguments(cx);
    fiber::start(cx, &call.this(), arguments, named)
}
fn resume(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let value = call.args.first().map_or(Value::null(), Value::copy_deref);
    fiber::resume(cx, &call.this(), value)
}
fn throw(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    args::instance(cx, call, 0, "Throwable")?;
    let exception = args::object_at(call.args, 0).clone();
    fiber::throw(cx, &call.this(), exception)
}
fn is_started(_cx: &mut Cx, call: &mut Call) -> Res<Value> {
    Ok(Value::from(fiber::status(&call.this()) != Status::Init))
}
fn is_suspended(_cx: &mut Cx, call: &mut Call) -> Res<Value> {
    Ok(Value::from(fiber::status(&call.this()) == Status::Suspended))
}
fn is_running(_cx: &mut Cx, call: &mut Call) -> Res<Value> {
    Ok(Value::from(fiber::status(&call.this()) == Status::Running))
}
fn is_terminated(_cx: &mut Cx, call: &mut Call) -> Res<Value> {
    Ok(Value::from(fiber::status(&call.this()) == Status::Terminated))
}
fn get_return(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    fiber::get_return(cx, &call.this())
}
fn suspend(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let value = call.args.first().map_or(Value::null(), Value::copy_deref);
    fiber::suspend(cx, value)
}
fn get_current(cx: &mut Cx, _call: &mut Call) -> Res<Value> {
    Ok(fiber::current(cx).map_or(Value::null(), Value::from))
}
