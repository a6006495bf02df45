//! `ReflectionMethod`.

use crate::members::{self, modifiers as m};
use crate::state::{self, CLASS, Func, NAME, Reflected};
use crate::text::{self as texts, Text};
use crate::text;
use jumbo_abi::{Callable, ClassPtr, Cx, Level, PArray, PObject, PStr, Res, Value, func_flags};

pub fn __construct(cx: &mut Cx, this: &PObject, object_or_method: &Value, method: Option<&PStr>) -> Res<()> {
    if method.is_none() {
        let text = b"Calling ReflectionMethod::__construct() with 1 argument is deprecated, use ReflectionMethod::createFromMethodName() instead";
        cx.raise(Level::Deprecated, text)?;
    }
    let (class, object, name) = match (object_or_method.as_object(), method) {
        (Some(object), Some(method)) => (ClassPtr::of(object), Some(object.clone()), method.clone()),
        (Some(_), None) => {
            return Err(cx.arg_value_error(2, "cannot be null when argument #1 ($objectOrMethod) is an object"));
        }
        (None, method) => {
            let given = cx.to_string(object_or_method)?;
            let (class, name) = match method {
                Some(method) => (given, method.clone()),
                None => split(cx, &given, "objectOrMethod")?,
            };
            let Some(found) = cx.find_class(class.as_bytes(), true)? else { return Err(state::no_such_class(cx, class.as_bytes(), 0)) };
            (found, None, name)
        }
    };
    construct(cx, this, class, object.as_ref(), &name)
}

/// `Class::method`
fn split(cx: &mut Cx, given: &PStr, argument: &str) -> Res<(PStr, PStr)> {
    let bytes = given.as_bytes();
    match bytes.windows(2).position(|w| w == b"::") {
        Some(at) => Ok((PStr::new(&bytes[..at]), PStr::new(&bytes[at + 2..]))),
        None => {
            let function = cx.active_function_name();
            Err(state::exception(cx, text!(function, "(): Argument #1 ($", argument, ") must be a valid method name")))
        }
    }
}

fn construct(cx: &mut Cx, this: &PObject, class: ClassPtr, object: Option<&PObject>, name: &PStr) -> Res<()> {
    let lower = name.as_bytes().to_ascii_lowercase();
    let closure = class == cx.builtin_class(b"closure") && lower == b"__invoke";
    let invoke = object.filter(|_| closure).and_then(|o| Func::invoke_of(cx, o));
    let found = invoke.or_else(|| class.method(&lower).map(|f| Func::method(f, class)));
    let Some(f) = found else {
        return Err(state::exception(cx, text!("Method ", class.name.as_bytes(), "::", name.as_bytes(), "() does not exist")));
    };
    this.set_slot(NAME, Value::from(f.name()));
    this.set_slot(CLASS, Value::from(&f.class.unwrap_or(class).name));
    state::set(this, Reflected::Function(f));
    Ok(())
}

pub fn create_from_method_name(cx: &mut Cx, class: ClassPtr, method: &PStr) -> Res<PObject> {
    let (of, name) = split(cx, method, "method")?;
    let Some(found) = cx.find_class(of.as_bytes(), true)? else { return Err(state::no_such_class(cx, of.as_bytes(), 0)) };
    let object = cx.new_object(class)?;
    construct(cx, &object, found, None, &name)?;
    Ok(object)
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let f = state::func(cx, this)?;
    let mut out = Text::new();
    let class = f.reflected.or(f.class);
    texts::function(cx, &f, class, 0, &mut out)?;
    Ok(Value::from(out.finish()?))
}

fn modifiers(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(members::of_method(state::func(cx, this)?.method_flags()))
}

fn has(cx: &mut Cx, this: &PObject, modifier: i64) -> Res<bool> {
    Ok(modifiers(cx, this)? & modifier != 0)
}

pub fn is_public(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::PUBLIC)
}
pub fn is_private(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::PRIVATE)
}
pub fn is_protected(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::PROTECTED)
}
pub fn is_abstract(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::ABSTRACT)
}
pub fn is_final(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::FINAL)
}

pub fn get_modifiers(cx: &mut Cx, this: &PObject) -> Res<i64> {
    modifiers(cx, this)
}

pub fn is_constructor(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let f = state::func(cx, this)?;
    Ok(f.name().as_bytes().eq_ignore_ascii_case(b"__construct"))
}

pub fn is_destructor(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let f = state::func(cx, this)?;
    Ok(f.name().as_bytes().eq_ignore_ascii_case(b"__destruct"))
}

pub fn get_declaring_class(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let class = owner(cx, this)?;
    state::make_class(cx, class)
}

fn owner(cx: &mut Cx, this: &PObject) -> Res<ClassPtr> {
    match state::func(cx, this)?.class {
        Some(class) => Ok(class),
        None => Err(cx.throw_error("Internal error: Failed to retrieve the reflection object")),
    }
}

pub fn get_prototype(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let f = state::func(cx, this)?;
    let class = owner(cx, this)?;
    match texts::prototype(f.get()) {
        Some(prototype) => state::make_func(cx, Func::method(prototype, class)),
        None => Err(state::exception(cx, text!("Method ", class.name.as_bytes(), "::", f.name().as_bytes(), " does not have a prototype"))),
    }
}

pub fn has_prototype(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let f = state::func(cx, this)?;
    Ok(texts::prototype(f.get()).is_some())
}

/// Everything is accessible.
pub fn set_accessible(_cx: &mut Cx, _this: &PObject, _accessible: bool) {}

// ---- calls

fn wrong_object(cx: &mut Cx) -> jumbo_abi::Stop {
    state::exception(cx, "Given object is not an instance of the class this method was declared in")
}

pub fn get_closure(cx: &mut Cx, this: &PObject, object: Option<&PObject>) -> Res<PObject> {
    let f = state::func(cx, this)?;
    let class = owner(cx, this)?;
    if f.method_flags() & func_flags::STATIC != 0 {
        let callable = callable(&f, None, f.reflected.unwrap_or(class));
        return cx.engine().make_closure(cx, &callable);
    }
    let Some(object) = object else {
        return Err(cx.arg_value_error(1, "cannot be null for non-static methods"));
    };
    if !ClassPtr::of(object).is_a(class) {
        return Err(wrong_object(cx));
    }
    if f.invoke {
        return Ok(object.clone());
    }
    let callable = callable(&f, Some(object), ClassPtr::of(object));
    cx.engine().make_closure(cx, &callable)
}

fn callable(f: &Func, object: Option<&PObject>, class: ClassPtr) -> Callable {
    Callable { function: f.function, this: object.cloned(), class: Some(class), closure: None, magic_name: None, value: Value::null() }
}

/// What invoking the method on the object calls.
fn target(cx: &mut Cx, this: &PObject, object: Option<&Value>) -> Res<Callable> {
    let f = state::func(cx, this)?;
    let class = owner(cx, this)?;
    let shown = |what: &str, end: &str| text!(what, class.name.as_bytes(), "::", f.name().as_bytes(), "()", end);
    let flags = f.method_flags();
    if flags & func_flags::ABSTRACT != 0 {
        return Err(state::exception(cx, shown("Trying to invoke abstract method ", "")));
    }
    let object = match object.map(Value::deref) {
        Some(value) if !value.is_null() => match value.as_object() {
            Some(object) => Some(object),
            None => {
                let given = jumbo_abi::args::type_name(value);
                return Err(cx.arg_type_error(1, text!("must be of type ?object, ", given, " given")));
            }
        },
        _ => None,
    };
    if flags & func_flags::STATIC != 0 {
        return Ok(callable(&f, None, f.reflected.unwrap_or(class)));
    }
    let Some(object) = object else {
        return Err(state::exception(cx, shown("Trying to invoke non static method ", " without an object")));
    };
    if !ClassPtr::of(object).is_a(class) {
        return Err(wrong_object(cx));
    }
    if f.invoke
        && let Some(info) = cx.engine().closure_info(object)
    {
        return Ok(info.callable);
    }
    Ok(callable(&f, Some(object), ClassPtr::of(object)))
}

pub fn invoke(cx: &mut Cx, this: &PObject, object: &Value, args: &[Value]) -> Res<Value> {
    let args = state::all_arguments(cx, args);
    let callable = target(cx, this, Some(object))?;
    cx.call_with_array(&callable, &args).map(Value::into_deref)
}

pub fn invoke_args(cx: &mut Cx, this: &PObject, object: Option<&PObject>, args: &PArray) -> Res<Value> {
    let object = object.map(|o| Value::from(o.clone()));
    let callable = target(cx, this, object.as_ref())?;
    cx.call_with_array(&callable, args).map(Value::into_deref)
}
