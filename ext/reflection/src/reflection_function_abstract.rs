//! `ReflectionFunctionAbstract`: what functions and methods have in common.

use crate::attributes::{self, Attributes, target};
use crate::state::{self, Func};
use crate::reflection_type;
use jumbo_abi::{Cx, FnPtr, PArray, PObject, PStr, Res, Value, func_flags};

pub fn in_namespace(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let name = namespaced(cx, this)?;
    Ok(!is_closure_name(&name) && !state::namespace_of(&name).is_empty())
}

/// The name as far as namespaces go: what stands in the braces of a closure's name is none.
fn namespaced(cx: &mut Cx, this: &PObject) -> Res<Vec<u8>> {
    Ok(state::func(cx, this)?.name().as_bytes().to_vec())
}

/// Closures are in no namespace, whatever their name tells about their place.
fn is_closure_name(name: &[u8]) -> bool {
    name.starts_with(b"{closure")
}

pub fn get_namespace_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let name = namespaced(cx, this)?;
    Ok(if is_closure_name(&name) { PStr::empty() } else { PStr::new(state::namespace_of(&name)) })
}

pub fn get_short_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let name = namespaced(cx, this)?;
    Ok(if is_closure_name(&name) { PStr::new(&name) } else { PStr::new(state::short_name(&name)) })
}

pub fn get_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    Ok(state::func(cx, this)?.name())
}

pub fn is_closure(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let f = state::func(cx, this)?;
    Ok(f.is_closure() && !f.invoke || f.is(func_flags::CLOSURE))
}

fn is(cx: &mut Cx, this: &PObject, flag: u32) -> Res<bool> {
    Ok(state::func(cx, this)?.is(flag))
}

pub fn is_deprecated(cx: &mut Cx, this: &PObject) -> Res<bool> {
    is(cx, this, func_flags::DEPRECATED)
}
pub fn is_internal(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::func(cx, this)?.is_internal())
}
pub fn is_user_defined(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(!state::func(cx, this)?.is_internal())
}
pub fn is_generator(cx: &mut Cx, this: &PObject) -> Res<bool> {
    is(cx, this, func_flags::GENERATOR)
}
pub fn is_variadic(cx: &mut Cx, this: &PObject) -> Res<bool> {
    is(cx, this, func_flags::VARIADIC)
}
pub fn is_static(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::func(cx, this)?.method_flags() & func_flags::STATIC != 0)
}
pub fn returns_reference(cx: &mut Cx, this: &PObject) -> Res<bool> {
    is(cx, this, func_flags::RETURNS_REF)
}

// ---- closures

fn closure_of(cx: &mut Cx, this: &PObject) -> Res<Option<jumbo_abi::inspect::ClosureInfo>> {
    let f = state::func(cx, this)?;
    Ok(f.closure().and_then(|c| cx.engine().closure_info(c)))
}

pub fn get_closure_this(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    Ok(closure_of(cx, this)?.and_then(|info| info.callable.this))
}

pub fn get_closure_scope_class(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let scope = closure_of(cx, this)?.and_then(|info| info.callable.function.scope);
    scope.map(|class| state::make_class(cx, class)).transpose()
}

pub fn get_closure_called_class(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let Some(info) = closure_of(cx, this)? else { return Ok(None) };
    let class = match &info.callable.this {
        Some(object) => Some(jumbo_abi::ClassPtr::of(object)),
        None => info.callable.class.or(info.callable.function.scope),
    };
    class.map(|class| state::make_class(cx, class)).transpose()
}

pub fn get_closure_used_variables(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let mut list = PArray::new();
    // PHP looks for them at the start of the code, where a generator has something else.
    if is_generator(cx, this)? {
        return Ok(list);
    }
    if let Some(info) = closure_of(cx, this)?.filter(|info| !info.fake) {
        for (name, value) in info.captured {
            list.set_str(&name, value);
        }
    }
    Ok(list)
}

pub fn get_static_variables(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let f = state::func(cx, this)?;
    let mut list = PArray::new();
    if let Some(info) = f.closure().and_then(|c| cx.engine().closure_info(c)).filter(|info| !info.fake) {
        for (name, value) in info.captured {
            // A reference that only the closure holds (and this copy) is none.
            let shared = value.as_ref().is_some_and(|r| r.ref_count() > 2);
            list.set_str(&name, if shared { value } else { value.copy_deref() });
        }
    }
    let statics = cx.engine().static_variables(cx, f.function, f.closure());
    for (key, value) in statics.entries() {
        list.set(key, value);
    }
    Ok(list)
}

// ---- the declaration

pub fn get_doc_comment(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let f = state::func(cx, this)?;
    Ok(state::or_false(declaration(&f).and_then(|p| p.doc_comment.as_ref())))
}

/// The declaration of PHP code.
fn declaration(f: &Func) -> Option<&'static jumbo_bytecode::unit::FunctionProto> {
    if f.is_internal() { None } else { f.get().proto() }
}

pub fn get_start_line(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let f = state::func(cx, this)?;
    Ok(state::or_false(declaration(&f).map(|p| p.line_start as i64)))
}

pub fn get_end_line(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let f = state::func(cx, this)?;
    Ok(state::or_false(declaration(&f).map(|p| p.line_end as i64)))
}

pub fn get_file_name(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let f = state::func(cx, this)?;
    Ok(state::or_false(f.unit().map(|u| &u.file)))
}

pub fn get_extension(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let f = state::func(cx, this)?;
    match state::extension_of_func(&f) {
        Some(name) => state::make_extension(cx, name),
        None => Ok(None),
    }
}

pub fn get_extension_name(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let f = state::func(cx, this)?;
    Ok(state::or_false(state::extension_of_func(&f)))
}

// ---- parameters and types

pub fn get_number_of_parameters(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(state::func(cx, this)?.function.param_count() as i64)
}

pub fn get_number_of_required_parameters(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(state::func(cx, this)?.function.required as i64)
}

pub fn get_parameters(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let f = state::func(cx, this)?;
    let mut list = PArray::new();
    for n in 0..f.function.param_count() {
        list.append(state::make_parameter(cx, f.clone(), n)?);
    }
    Ok(list)
}

fn is_tentative(function: FnPtr) -> bool {
    function.desc().is_some_and(|d| d.tentative)
}

pub fn has_return_type(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let f = state::func(cx, this)?;
    Ok(f.function.declared_return_type().is_some() && !is_tentative(f.function))
}

pub fn get_return_type(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let f = state::func(cx, this)?;
    let ty = f.get().declared_return_type().filter(|_| !is_tentative(f.function));
    reflection_type::make_optional(cx, ty)
}

pub fn has_tentative_return_type(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let f = state::func(cx, this)?;
    Ok(f.function.declared_return_type().is_some() && is_tentative(f.function))
}

pub fn get_tentative_return_type(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let f = state::func(cx, this)?;
    let ty = f.get().declared_return_type().filter(|_| is_tentative(f.function));
    reflection_type::make_optional(cx, ty)
}

pub fn get_attributes(cx: &mut Cx, this: &PObject, name: Option<&PStr>, flags: i64) -> Res<PArray> {
    let f = state::func(cx, this)?;
    let list = match (f.get().unit(), f.get().proto(), f.get().desc()) {
        (Some(unit), Some(proto), _) => Attributes::User(unit, &proto.attributes),
        (_, _, Some(desc)) => Attributes::Builtin(desc.attributes),
        _ => Attributes::None,
    };
    let method = f.function.scope.is_some() && !f.is(func_flags::CLOSURE);
    let target = if method { target::METHOD } else { target::FUNCTION };
    attributes::list(cx, list, f.function.scope, target, name, flags)
}
