//! `Generator` and `ClosedGeneratorException`. The work is in [`crate::generator`].

use super::{class, method, of, param, sealed};
use crate::generator;
use jumbo_abi::args;
use jumbo_abi::desc::Purpose;
use jumbo_abi::{Call, ClassDesc, ClassHooks, Cx, FnDesc, PArray, PObject, ParamDesc, Res, Value, mask};

static SEND: [ParamDesc; 1] = [param("value", of(mask::MIXED))];
static THROW: [ParamDesc; 1] = [param("exception", class(&["Throwable"]))];

static METHODS: [FnDesc; 9] = [
    method("rewind", &[], 0, of(mask::VOID), rewind),
    method("valid", &[], 0, of(mask::BOOL), valid),
    method("current", &[], 0, of(mask::MIXED), current),
    method("key", &[], 0, of(mask::MIXED), key),
    method("next", &[], 0, of(mask::VOID), next),
    method("send", &SEND, 1, of(mask::MIXED), send),
    method("throw", &THROW, 1, of(mask::MIXED), throw),
    method("getReturn", &[], 0, of(mask::MIXED), get_return),
    method("__debugInfo", &[], 0, of(mask::ARRAY), debug_info),
];

static HOOKS: ClassHooks = ClassHooks {
    not_instantiable: Some("The \"Generator\" class is reserved for internal use and cannot be manually instantiated"),
    uncloneable: true,
    properties: Some(properties),
    ..ClassHooks::NONE
};

pub const GENERATOR: ClassDesc = sealed("Generator", &["Iterator"], &METHODS, &HOOKS);

pub const CLOSED_GENERATOR_EXCEPTION: ClassDesc = ClassDesc {
    name: "ClosedGeneratorException",
    parent: Some("Exception"),
    interfaces: &[],
    flags: 0,
    constants: &[],
    properties: &[],
    methods: &[],
    enum_backing: 0,
    hooks: &ClassHooks::NONE,
    attributes: &[],
};

fn rewind(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    generator::rewind(cx, &call.this()).map(|()| Value::null())
}
fn valid(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    generator::valid(cx, &call.this()).map(Value::from)
}
fn current(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    generator::current(cx, &call.this(), false)
}
fn key(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    generator::key(cx, &call.this())
}
fn next(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    generator::next(cx, &call.this()).map(|()| Value::null())
}
fn send(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let value = call.args.first().map_or(Value::null(), Value::copy_deref);
    generator::send(cx, &call.this(), value)
}
fn throw(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    args::instance(cx, call, 0, "Throwable")?;
    let exception = args::object_at(call.args, 0).clone();
    generator::throw(cx, &call.this(), &exception)
}
fn get_return(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    generator::get_return(cx, &call.this())
}
fn debug_info(_cx: &mut Cx, call: &mut Call) -> Res<Value> {
    Ok(Value::from(generator::debug_info(&call.this())))
}
fn properties(_cx: &mut Cx, object: &PObject, purpose: Purpose) -> Res<Option<PArray>> {
    Ok((purpose == Purpose::Debug).then(|| generator::debug_info(object)))
}
