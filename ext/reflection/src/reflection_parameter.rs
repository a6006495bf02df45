//! `ReflectionParameter`.

use crate::attributes::{self, Attributes, target};
use crate::state::{self, Func, NAME, Reflected};
use crate::text as texts;
use crate::{reflection_type, text};
use jumbo_abi::{ClassPtr, Cx, PArray, PObject, PStr, Res, Stop, Type, Value, View, func_flags, mask};
use jumbo_bytecode::unit::ConstExpr;

pub fn __construct(cx: &mut Cx, this: &PObject, function: &Value, param: &Value) -> Res<()> {
    let f = function_of(cx, function)?;
    let count = f.function.param_count();
    let index = match param.view() {
        View::Int(n) => {
            if n < 0 {
                return Err(cx.arg_value_error(2, "must be greater than or equal to 0"));
            }
            let index = usize::try_from(n).unwrap_or(usize::MAX);
            if index >= count {
                return Err(state::exception(cx, "The parameter specified by its offset could not be found"));
            }
            index
        }
        _ => {
            let name = cx.to_string(param)?;
            match (0..count).find(|n| f.function.param_name(*n) == name.as_bytes()) {
                Some(index) => index,
                None => return Err(state::exception(cx, "The parameter specified by its name could not be found")),
            }
        }
    };
    this.set_slot(NAME, Value::from(PStr::new(f.function.param_name(index))));
    state::set(this, Reflected::Parameter { of: f, index });
    Ok(())
}

/// The function that the first argument means: a name, a pair of class or object and method, or a callable object.
fn function_of(cx: &mut Cx, function: &Value) -> Res<Func> {
    match function.view_deref() {
        View::Str(name) => match cx.find_function(name.as_bytes()) {
            Some(f) => Ok(Func::of(f)),
            None => Err(state::exception(cx, text!("Function ", name.as_bytes(), "() does not exist"))),
        },
        View::Array(pair) => {
            let parts = (pair.get_int(0).map(Value::copy_deref), pair.get_int(1).map(Value::copy_deref));
            let (Some(of), Some(method)) = parts else {
                return Err(state::exception(cx, "Expected array($object, $method) or array($classname, $method)"));
            };
            let (class, object) = match of.as_object() {
                Some(object) => (ClassPtr::of(object), Some(object.clone())),
                None => (state::class_of_argument(cx, &of, 0)?, None),
            };
            let name = cx.to_string(&method)?;
            let lower = name.as_bytes().to_ascii_lowercase();
            if lower == b"__invoke"
                && let Some(f) = object.as_ref().and_then(|o| Func::invoke_of(cx, o))
            {
                return Ok(f);
            }
            match class.method(&lower) {
                Some(f) => Ok(Func::method(f, class)),
                None => Err(missing_method(cx, class, name.as_bytes())),
            }
        }
        View::Object(object) => {
            if let Some(f) = Func::of_closure(cx, object) {
                return Ok(f);
            }
            let class = ClassPtr::of(object);
            match class.method(b"__invoke") {
                Some(f) => Ok(Func::method(f, class)),
                None => Err(missing_method(cx, class, b"__invoke")),
            }
        }
        _ => {
            let text = text!(
                cx.active_function_name(),
                "(): Argument #1 ($function) must be a string, an array(class, method), or a callable object, ",
                jumbo_abi::args::type_name(function),
                " given"
            );
            Err(state::exception(cx, text))
        }
    }
}

fn missing_method(cx: &mut Cx, class: ClassPtr, name: &[u8]) -> Stop {
    state::exception(cx, text!("Method ", class.name.as_bytes(), "::", name, "() does not exist"))
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let (f, index) = state::parameter(cx, this)?;
    Ok(Value::from(texts::parameter(cx, &f, index)?))
}

pub fn get_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let (f, index) = state::parameter(cx, this)?;
    Ok(PStr::new(f.function.param_name(index)))
}

pub fn is_passed_by_reference(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let (f, index) = state::parameter(cx, this)?;
    Ok(f.function.is_by_ref(index as u32))
}

pub fn can_be_passed_by_value(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let (f, index) = state::parameter(cx, this)?;
    let prefers = f.function.desc().and_then(|d| d.params.get(index)).is_some_and(|p| p.prefer_ref);
    Ok(prefers || !f.function.is_by_ref(index as u32))
}

pub fn get_declaring_function(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let (mut f, _) = state::parameter(cx, this)?;
    // A closure in a class is its method here.
    f.class = f.class.or(f.function.scope);
    state::make_func(cx, f)
}

pub fn get_declaring_class(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let (f, _) = state::parameter(cx, this)?;
    let class = f.class.or(f.function.scope);
    class.map(|class| state::make_class(cx, class)).transpose()
}

fn type_of(cx: &mut Cx, this: &PObject) -> Res<Option<&'static Type>> {
    let (f, index) = state::parameter(cx, this)?;
    Ok(f.get().param_type(index))
}

pub fn get_class(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let (f, index) = state::parameter(cx, this)?;
    let Some(name) = f.get().param_type(index).and_then(|ty| ty.classes.first()) else { return Ok(None) };
    let scope = f.function.scope;
    let class = match name.lower.as_bytes() {
        b"self" => match scope {
            Some(class) => class,
            None => return Err(state::exception(cx, "Parameter uses \"self\" as type but function is not a class member")),
        },
        b"parent" => match (scope, scope.and_then(|c| c.parent)) {
            (Some(_), Some(parent)) => parent,
            (Some(_), None) => {
                return Err(state::exception(cx, "Parameter uses \"parent\" as type although class does not have a parent"));
            }
            (None, _) => return Err(state::exception(cx, "Parameter uses \"parent\" as type but function is not a class member")),
        },
        _ => match cx.find_class(name.name.as_bytes(), true)? {
            Some(class) => class,
            None => return Err(state::no_such_class(cx, name.name.as_bytes(), 0)),
        },
    };
    state::make_class(cx, class).map(Some)
}

pub fn has_type(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(type_of(cx, this)?.is_some())
}

pub fn get_type(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let ty = type_of(cx, this)?;
    reflection_type::make_optional(cx, ty)
}

/// A type of one builtin kind, null apart.
fn is_only(ty: Option<&Type>, kind: u32) -> bool {
    ty.is_some_and(|ty| ty.classes.is_empty() && ty.intersections.is_empty() && ty.mask & !mask::NULL == kind)
}

pub fn is_array(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(is_only(type_of(cx, this)?, mask::ARRAY))
}

pub fn is_callable(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(is_only(type_of(cx, this)?, mask::CALLABLE))
}

pub fn allows_null(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(type_of(cx, this)?.is_none_or(Type::allows_null))
}

pub fn get_position(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(state::parameter(cx, this)?.1 as i64)
}

fn is_variadic_parameter(f: &Func, index: usize) -> bool {
    f.is(func_flags::VARIADIC) && index + 1 == f.function.param_count()
}

pub fn is_optional(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let (f, index) = state::parameter(cx, this)?;
    Ok(texts::is_optional(&f, index) || is_variadic_parameter(&f, index))
}

pub fn is_variadic(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let (f, index) = state::parameter(cx, this)?;
    Ok(is_variadic_parameter(&f, index))
}

pub fn is_promoted(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let (f, index) = state::parameter(cx, this)?;
    Ok(f.get().proto().and_then(|p| p.params.get(index)).is_some_and(|p| p.promoted.is_some()))
}

pub fn get_attributes(cx: &mut Cx, this: &PObject, name: Option<&PStr>, flags: i64) -> Res<PArray> {
    let (f, index) = state::parameter(cx, this)?;
    let list = match (f.get().unit(), f.get().proto().and_then(|p| p.params.get(index)), f.get().desc()) {
        (Some(unit), Some(param), _) => Attributes::User(unit, &param.attributes),
        (_, _, Some(desc)) if desc.params.get(index).is_some_and(|p| p.sensitive) => Attributes::Builtin(&["SensitiveParameter"]),
        _ => Attributes::None,
    };
    attributes::list(cx, list, f.function.scope, target::PARAMETER, name, flags)
}

// ---- defaults

/// Where a default comes from.
enum Default {
    /// Its value is known; as it is written, when it is written with constants.
    Known(Option<&'static [u8]>),
    /// An expression as Reflection shows it.
    Expression(&'static [u8]),
}

fn default_of(f: &Func, index: usize) -> Option<Default> {
    if let Some(desc) = f.function.desc() {
        return desc.params.get(index).and_then(|p| p.default).map(|text| Default::Expression(text.as_bytes()));
    }
    // A closure's `__invoke` is a builtin, whose defaults nobody knows.
    if f.invoke {
        return None;
    }
    // A default before a required parameter is never used, and is none.
    if !texts::is_optional(f, index) {
        return None;
    }
    let param = f.get().proto()?.params.get(index)?;
    Some(match param.default.as_ref()? {
        ConstExpr::Literal(_) => Default::Known(param.default_text.as_ref().map(PStr::as_bytes)),
        ConstExpr::Thunk { text, .. } => Default::Expression(text.as_bytes()),
    })
}

/// The name of the constant that an expression is, if it is one.
fn constant_name(text: &[u8]) -> Option<&[u8]> {
    let name = text.strip_prefix(b"\\").unwrap_or(text);
    let ident = |part: &[u8]| {
        !part.is_empty()
            && !part[0].is_ascii_digit()
            && part.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'\\' | 0x80..))
    };
    let literal = [&b"null"[..], b"true", b"false"].iter().any(|l| name.eq_ignore_ascii_case(l));
    let is_constant = match name.windows(2).position(|w| w == b"::") {
        // A class's name is none.
        Some(at) => ident(&name[..at]) && ident(&name[at + 2..]) && !name[at + 2..].eq_ignore_ascii_case(b"class"),
        None => ident(name) && !literal,
    };
    is_constant.then_some(name)
}

fn no_default(cx: &mut Cx) -> Stop {
    state::exception(cx, "Internal error: Failed to retrieve the default value")
}

pub fn is_default_value_available(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let (f, index) = state::parameter(cx, this)?;
    Ok(default_of(&f, index).is_some())
}

pub fn get_default_value(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let (f, index) = state::parameter(cx, this)?;
    if default_of(&f, index).is_none() {
        return Err(no_default(cx));
    }
    match cx.engine().param_default(cx, f.function, index)? {
        Some(value) => Ok(value),
        None => Err(no_default(cx)),
    }
}

fn default_constant(cx: &mut Cx, this: &PObject) -> Res<Option<&'static [u8]>> {
    let (f, index) = state::parameter(cx, this)?;
    Ok(match default_of(&f, index) {
        None => return Err(no_default(cx)),
        Some(Default::Known(text)) => text.and_then(constant_name),
        Some(Default::Expression(text)) => constant_name(text),
    })
}

pub fn is_default_value_constant(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(default_constant(cx, this)?.is_some())
}

pub fn get_default_value_constant_name(cx: &mut Cx, this: &PObject) -> Res<Option<PStr>> {
    Ok(default_constant(cx, this)?.map(PStr::new))
}
