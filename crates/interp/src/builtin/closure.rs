//! `Closure`. The work is in [`crate::closure`].

use super::{class, function, method, nullable, nullable_class, of, optional, param, sealed, static_method, variadic};
use crate::closure;
use jumbo_abi::args;
use jumbo_abi::desc::Purpose;
use jumbo_abi::{Call, ClassDesc, ClassHooks, Cx, FnDesc, PArray, PObject, ParamDesc, Res, TypeDesc, Value, func_flags, mask};

const SCOPE: Option<TypeDesc> = of(mask::OBJECT | mask::STRING | mask::NULL);

static BIND: [ParamDesc; 3] =
    [param("closure", class(&["Closure"])), param("newThis", nullable(mask::OBJECT)), optional("newScope", SCOPE, "\"static\"")];
static BIND_TO: [ParamDesc; 2] = [param("newThis", nullable(mask::OBJECT)), optional("newScope", SCOPE, "\"static\"")];
static CALL: [ParamDesc; 2] = [param("newThis", of(mask::OBJECT)), variadic("args", of(mask::MIXED))];
static FROM_CALLABLE: [ParamDesc; 1] = [param("callback", of(mask::CALLABLE))];
static INVOKE: [ParamDesc; 1] = [variadic("args", None)];

static METHODS: [FnDesc; 6] = [
    function("__construct", func_flags::PRIVATE, &[], 0, None, construct),
    static_method("bind", &BIND, 2, nullable_class(&["Closure"]), bind),
    method("bindTo", &BIND_TO, 1, nullable_class(&["Closure"]), bind_to),
    method("call", &CALL, 1, of(mask::MIXED), call_bound),
    static_method("fromCallable", &FROM_CALLABLE, 1, class(&["Closure"]), from_callable),
    method("__invoke", &INVOKE, 0, None, invoke),
];

static HOOKS: ClassHooks = ClassHooks {
    not_instantiable: Some("Instantiation of class Closure is not allowed"),
    compare: Some(compare),
    properties: Some(properties),
    ..ClassHooks::NONE
};

pub const CLOSURE: ClassDesc = sealed("Closure", &[], &METHODS, &HOOKS);

fn construct(_cx: &mut Cx, _call: &mut Call) -> Res<Value> {
    Ok(Value::null())
}

/// Argument `n`, an object or null, then the scope behind it.
fn bind_args(cx: &mut Cx, call: &mut Call, n: usize) -> Res<(Option<PObject>, Option<Value>)> {
    args::union(cx, call, n)?;
    let this = call.args.get(n).and_then(|v| v.as_object().cloned());
    let scope = if call.has(n + 1) {
        args::union(cx, call, n + 1)?;
        call.args.get(n + 1).map(Value::copy_deref)
    } else {
        None
    };
    Ok((this, scope))
}

fn bind(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    args::instance(cx, call, 0, "Closure")?;
    let closure = args::object_at(call.args, 0).clone();
    let (this, scope) = bind_args(cx, call, 1)?;
    Ok(closure::bind(cx, &closure, this.as_ref(), scope.as_ref())?.map_or(Value::null(), Value::from))
}

fn bind_to(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let closure = call.this();
    let (this, scope) = bind_args(cx, call, 0)?;
    Ok(closure::bind(cx, &closure, this.as_ref(), scope.as_ref())?.map_or(Value::null(), Value::from))
}

fn call_bound(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    args::object(cx, call, 0)?;
    let this = args::object_at(call.args, 0).clone();
    let rest = call.args.get(1..).unwrap_or_default().to_vec();
    let closure = call.this();
    let named = cx.engine().named_arguments(cx).unwrap_or_default();
    Ok(closure::call(cx, &closure, &this, &with_named(&rest, &named))?.into_deref())
}

fn from_callable(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let value = call.args.first().map_or(Value::null(), Value::copy_deref);
    if value.as_object().and_then(closure::state).is_some() {
        return Ok(value);
    }
    match cx.resolve_callable(&value)? {
        Ok(callable) => Ok(Value::from(closure::make_closure(cx, &callable)?)),
        Err(why) => {
            Err(cx.type_error([b"Failed to create closure from callable: ".as_slice(), &why].concat()))
        }
    }
}

/// Positional and named arguments as one array.
fn with_named(arguments: &[Value], named: &PArray) -> PArray {
    let mut all = PArray::from_values(arguments.iter().cloned());
    for (name, value) in named {
        all.set(name.to_key(), value.clone());
    }
    all
}

fn invoke(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let closure = call.this();
    let Some(callable) = closure::callable(&closure) else { return Ok(Value::null()) };
    let arguments = call.args.to_vec();
    if let Some(named) = cx.engine().named_arguments(cx) {
        return cx.call_with_array(&callable, &with_named(&arguments, &named));
    }
    cx.call(&callable, &arguments)
}

fn compare(_cx: &mut Cx, a: &PObject, b: &PObject) -> Res<Option<i32>> {
    Ok(closure::equal(a, b).then_some(0))
}

fn properties(cx: &mut Cx, object: &PObject, purpose: Purpose) -> Res<Option<PArray>> {
    if purpose != Purpose::Debug {
        return Ok(None);
    }
    closure::debug_info(cx, object).map(Some)
}
