//! `WeakReference` and `WeakMap`. The work is in [`crate::weak`].

use super::{class, method, nullable, of, param, sealed, static_method};
use crate::weak;
use jumbo_abi::args;
use jumbo_abi::{Call, ClassDesc, ClassHooks, Cx, FnDesc, ParamDesc, Res, Value, mask};

static CREATE: [ParamDesc; 1] = [param("object", of(mask::OBJECT))];
static OBJECT: [ParamDesc; 1] = [param("object", None)];
static OBJECT_VALUE: [ParamDesc; 2] = [param("object", None), param("value", of(mask::MIXED))];

static REFERENCE_METHODS: [FnDesc; 3] = [
    method("__construct", &[], 0, None, construct_reference),
    static_method("create", &CREATE, 1, class(&["WeakReference"]), create),
    method("get", &[], 0, nullable(mask::OBJECT), get),
];

static REFERENCE_HOOKS: ClassHooks =
    ClassHooks { uncloneable: true, properties: Some(weak::reference_properties), ..ClassHooks::NONE };

pub const WEAK_REFERENCE: ClassDesc = sealed("WeakReference", &[], &REFERENCE_METHODS, &REFERENCE_HOOKS);

static MAP_METHODS: [FnDesc; 6] = [
    method("offsetGet", &OBJECT, 1, of(mask::MIXED), offset_get),
    method("offsetSet", &OBJECT_VALUE, 2, of(mask::VOID), offset_set),
    method("offsetExists", &OBJECT, 1, of(mask::BOOL), offset_exists),
    method("offsetUnset", &OBJECT, 1, of(mask::VOID), offset_unset),
    method("count", &[], 0, of(mask::INT), count),
    method("getIterator", &[], 0, class(&["Iterator"]), get_iterator),
];

static MAP_HOOKS: ClassHooks = ClassHooks {
    create: Some(weak::create_map),
    count: Some(|_, map| Ok(Some(weak::count(map) as i64))),
    dim_read: Some(weak::read),
    dim_write: Some(weak::write),
    dim_has: Some(weak::has),
    dim_unset: Some(weak::unset),
    dim_place: Some(weak::reference_at),
    dim_bind: Some(weak::bind),
    properties: Some(weak::map_properties),
    iterate: Some(weak::iterate),
    ..ClassHooks::NONE
};

pub const WEAK_MAP: ClassDesc = sealed("WeakMap", &["ArrayAccess", "Countable", "IteratorAggregate"], &MAP_METHODS, &MAP_HOOKS);

fn construct_reference(cx: &mut Cx, _call: &mut Call) -> Res<Value> {
    Err(cx.throw_error(b"Direct instantiation of WeakReference is not allowed, use WeakReference::create instead"))
}
fn create(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    args::object(cx, call, 0)?;
    let object = args::object_at(call.args, 0).clone();
    Ok(Value::from(weak::reference_to(cx, &object)))
}
fn get(_cx: &mut Cx, call: &mut Call) -> Res<Value> {
    Ok(weak::target(&call.this()).map_or(Value::null(), Value::from))
}

fn argument(call: &Call, n: usize) -> Value {
    call.args.get(n).map_or(Value::null(), Value::copy_deref)
}
fn offset_get(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    weak::read(cx, &call.this(), Some(&argument(call, 0))).map(Value::into_deref)
}
fn offset_set(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    weak::write(cx, &call.this(), Some(&argument(call, 0)), &argument(call, 1))?;
    Ok(Value::null())
}
fn offset_exists(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    weak::has(cx, &call.this(), &argument(call, 0), false).map(Value::from)
}
fn offset_unset(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    weak::unset(cx, &call.this(), &argument(call, 0))?;
    Ok(Value::null())
}
fn count(_cx: &mut Cx, call: &mut Call) -> Res<Value> {
    Ok(Value::from(weak::count(&call.this()) as i64))
}
fn get_iterator(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let native = weak::iterate(cx, &call.this(), false)?;
    Ok(Value::from(super::internal_iterator::of_native(cx, native)))
}
