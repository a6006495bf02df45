//! `ReflectionProperty`: declared properties, and dynamic ones of the object that the reflection was made from.

use crate::attributes::{self, Attributes, target};
use crate::members::{self, modifiers as m};
use crate::state::{self, CLASS, Declared, Func, NAME, Prop, Reflected};
use crate::text::{self as texts, Text};
use crate::{reflection_class, reflection_type, text};
use jumbo_abi::lazy::Lazy;
use jumbo_abi::{ClassPtr, Cx, FnPtr, Level, PArray, PObject, PStr, Res, Type, Value, class_flags, member_flags};

pub fn __construct(cx: &mut Cx, this: &PObject, class: &Value, property: &PStr) -> Res<()> {
    let found = state::class_of_argument(cx, class, 0)?;
    let Some(p) = reflection_class::find_property(found, class.as_object(), property) else {
        return Err(state::exception(cx, text!("Property ", found.name.as_bytes(), "::$", property.as_bytes(), " does not exist")));
    };
    this.set_slot(NAME, Value::from(property));
    this.set_slot(CLASS, Value::from(&p.owner().name));
    state::set(this, Reflected::Property(p));
    Ok(())
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let p = state::property(cx, this)?;
    let mut out = Text::new();
    texts::property(cx, &p, 0, &mut out)?;
    Ok(Value::from(out.finish()?))
}

pub fn get_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    Ok(state::property(cx, this)?.name)
}

fn modifiers(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(members::of_member(state::property(cx, this)?.flags()))
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
pub fn is_private_set(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::PRIVATE_SET)
}
pub fn is_protected_set(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::PROTECTED_SET)
}
pub fn is_static(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::STATIC)
}
pub fn is_read_only(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::READONLY)
}
pub fn is_abstract(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::ABSTRACT)
}
pub fn is_virtual(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::VIRTUAL)
}
pub fn is_final(cx: &mut Cx, this: &PObject) -> Res<bool> {
    has(cx, this, m::FINAL)
}

pub fn is_default(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(!state::property(cx, this)?.dynamic)
}

pub fn is_dynamic(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::property(cx, this)?.dynamic)
}

pub fn is_promoted(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::property(cx, this)?.flags() & member_flags::PROMOTED != 0)
}

pub fn get_modifiers(cx: &mut Cx, this: &PObject) -> Res<i64> {
    modifiers(cx, this)
}

pub fn get_declaring_class(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let class = state::property(cx, this)?.owner();
    state::make_class(cx, class)
}

pub fn get_doc_comment(cx: &mut Cx, this: &PObject) -> Res<Value> {
    Ok(state::or_false(state::property(cx, this)?.declared().and_then(Declared::doc_comment)))
}

/// Everything is accessible.
pub fn set_accessible(_cx: &mut Cx, _this: &PObject, _accessible: bool) {}

pub fn get_type(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let ty = state::property(cx, this)?.declared().and_then(Declared::ty);
    reflection_type::make_optional(cx, ty)
}

pub fn get_settable_type(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let p = state::property(cx, this)?;
    let Some(declared) = p.declared() else { return Ok(None) };
    if let Declared::Instance(q) = declared {
        if let Some(hook) = q.set_hook {
            return reflection_type::make_optional(cx, hook.get().param_type(0));
        }
        if q.is_virtual() {
            // There is no way to set it.
            return reflection_type::make(cx, &Type::of_mask(jumbo_abi::mask::NEVER)).map(Some);
        }
    }
    reflection_type::make_optional(cx, declared.ty())
}

pub fn has_type(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::property(cx, this)?.declared().and_then(Declared::ty).is_some())
}

pub fn has_default_value(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let p = state::property(cx, this)?;
    let Some(declared) = p.declared() else { return Ok(false) };
    let source = match declared {
        Declared::Static(q) => Some(&q.default),
        Declared::Instance(q) if q.is_virtual() || q.is(member_flags::PROMOTED) => None,
        Declared::Instance(q) => q.class.get().slots.get(q.slot as usize).map(|s| &s.default),
    };
    Ok(match source {
        Some(jumbo_abi::class::ConstSource::Expr { .. }) => true,
        Some(source) => source.known().is_some_and(|v| !v.is_undef()),
        None => false,
    })
}

pub fn get_default_value(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let p = state::property(cx, this)?;
    let Some(declared) = p.declared() else { return Ok(Value::null()) };
    Ok(texts::property_default(cx, declared)?.unwrap_or_default())
}

pub fn get_attributes(cx: &mut Cx, this: &PObject, name: Option<&PStr>, flags: i64) -> Res<PArray> {
    let p = state::property(cx, this)?;
    let Some(declared) = p.declared() else { return attributes::list(cx, Attributes::None, None, target::PROPERTY, name, flags) };
    let unit = attributes::unit_of_member(declared.class(), declared.attributes(), attributes::of_properties);
    let list = Attributes::of_unit(unit, declared.attributes());
    attributes::list(cx, list, Some(declared.class()), target::PROPERTY, name, flags)
}

// ---- hooks

fn hooks(p: &Prop) -> [(&'static str, Option<FnPtr>); 2] {
    match p.declared() {
        Some(Declared::Instance(q)) => [("get", q.get_hook), ("set", q.set_hook)],
        _ => [("get", None), ("set", None)],
    }
}

fn make_hook(cx: &mut Cx, p: &Prop, hook: FnPtr) -> Res<PObject> {
    let class = hook.scope.unwrap_or(p.owner());
    state::make_func(cx, Func::method(hook, class))
}

pub fn has_hooks(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let p = state::property(cx, this)?;
    Ok(hooks(&p).iter().any(|(_, hook)| hook.is_some()))
}

pub fn get_hooks(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let p = state::property(cx, this)?;
    let mut list = PArray::new();
    for (name, hook) in hooks(&p) {
        if let Some(hook) = hook {
            let object = make_hook(cx, &p, hook)?;
            list.set_bytes(name.as_bytes(), object);
        }
    }
    Ok(list)
}

/// The hook that a `PropertyHookType` names.
fn named_hook(p: &Prop, kind: &PObject) -> Option<FnPtr> {
    let value = kind.slot(1);
    hooks(p).into_iter().find(|(name, _)| value.as_bytes() == Some(name.as_bytes())).and_then(|(_, hook)| hook)
}

pub fn has_hook(cx: &mut Cx, this: &PObject, kind: &PObject) -> Res<bool> {
    let p = state::property(cx, this)?;
    Ok(named_hook(&p, kind).is_some())
}

pub fn get_hook(cx: &mut Cx, this: &PObject, kind: &PObject) -> Res<Option<PObject>> {
    let p = state::property(cx, this)?;
    named_hook(&p, kind).map(|hook| make_hook(cx, &p, hook)).transpose()
}

// ---- values

fn check_object(cx: &mut Cx, p: &Prop, object: &PObject) -> Res<()> {
    if ClassPtr::of(object).is_a(p.owner()) {
        return Ok(());
    }
    Err(state::exception(cx, "Given object is not an instance of the class this property was declared in"))
}

fn is_static_property(p: &Prop) -> bool {
    matches!(p.declared(), Some(Declared::Static(_)))
}

/// The object that an optional argument must be.
fn given(cx: &mut Cx, p: &Prop, object: Option<&PObject>) -> Res<PObject> {
    match object {
        Some(object) => {
            check_object(cx, p, object)?;
            Ok(object.clone())
        }
        None => Err(cx.arg_type_error(1, "must be provided for instance properties")),
    }
}

pub fn get_value(cx: &mut Cx, this: &PObject, object: Option<&PObject>) -> Res<Value> {
    let p = state::property(cx, this)?;
    if is_static_property(&p) {
        return match cx.engine().static_property(cx, p.class, p.name.as_bytes())? {
            Some(value) => Ok(value),
            None => Err(reflection_class::uninitialized_static(cx, p.class, &p.name)),
        };
    }
    let object = given(cx, &p, object)?;
    cx.engine().read_property(cx, &object, &p.name, Some(p.owner()))
}

pub fn set_value(cx: &mut Cx, this: &PObject, object_or_value: &Value, value: Option<&Value>) -> Res<()> {
    let p = state::property(cx, this)?;
    if is_static_property(&p) {
        if value.is_none() {
            cx.raise(Level::Deprecated, b"Calling ReflectionProperty::setValue() with a single argument is deprecated")?;
        } else if !object_or_value.is_null() && !object_or_value.is_object() {
            let text = b"Calling ReflectionProperty::setValue() with a 1st argument which is not null or an object is deprecated";
            cx.raise(Level::Deprecated, text)?;
        }
        let value = value.unwrap_or(object_or_value).clone();
        return cx.engine().set_static_property(cx, p.class, p.name.as_bytes(), value);
    }
    let Some(value) = value else {
        let text = text!(cx.active_function_name(), "() expects exactly 2 arguments, 1 given");
        return Err(cx.throw("ArgumentCountError", text));
    };
    let Some(object) = object_or_value.as_object() else {
        let text = text!("must be of type object, ", jumbo_abi::args::type_name(object_or_value), " given");
        return Err(cx.arg_type_error(1, text));
    };
    cx.engine().write_property(cx, object, &p.name, value.clone(), Some(p.owner()))
}

/// The property as the object has it: a subclass may have declared it anew.
fn of_object(cx: &mut Cx, this: &PObject, object: &PObject) -> Res<Prop> {
    let p = state::property(cx, this)?;
    let class = ClassPtr::of(object);
    if p.flags() & member_flags::PRIVATE != 0 || !class.is_a(p.owner()) {
        return Ok(p);
    }
    Ok(match Declared::find(class, p.name.as_bytes()) {
        Some(declared) if declared.flags() & member_flags::PRIVATE == 0 || declared.class() == class => {
            Prop { class, name: p.name, dynamic: false }
        }
        _ => p,
    })
}

/// Refuses what has no raw value.
fn check_raw(cx: &mut Cx, p: &Prop, object: &PObject, method: &str) -> Res<()> {
    if is_static_property(p) {
        return Err(state::exception(cx, format!("May not use {method} on static properties")));
    }
    check_object(cx, p, object)
}

pub fn get_raw_value(cx: &mut Cx, this: &PObject, object: &PObject) -> Res<Value> {
    let p = of_object(cx, this, object)?;
    check_raw(cx, &p, object, "getRawValue")?;
    cx.engine().raw_property(cx, object, p.owner(), &p.name)
}

pub fn set_raw_value(cx: &mut Cx, this: &PObject, object: &PObject, value: &Value) -> Res<()> {
    let p = of_object(cx, this, object)?;
    check_raw(cx, &p, object, "setRawValue")?;
    cx.engine().set_raw_property(cx, object, p.owner(), &p.name, value.clone())
}

pub fn is_initialized(cx: &mut Cx, this: &PObject, object: Option<&PObject>) -> Res<bool> {
    let p = state::property(cx, this)?;
    if is_static_property(&p) {
        return Ok(cx.engine().static_property(cx, p.class, p.name.as_bytes())?.is_some());
    }
    let object = given(cx, &p, object)?;
    cx.engine().property_is_initialized(cx, &object, &p.name, Some(p.owner()))
}

// ---- lazy objects

/// Refuses properties that cannot be lazy. `method`: the running one, as messages name it.
fn check_lazy(cx: &mut Cx, p: &Prop, object: &PObject, method: &str) -> Res<()> {
    let name = text!(p.owner().name.as_bytes(), "::$", p.name.as_bytes());
    let kind = match p.declared() {
        None => Some("dynamic"),
        Some(Declared::Static(_)) => Some("static"),
        Some(Declared::Instance(q)) if q.is_virtual() => Some("virtual"),
        Some(Declared::Instance(_)) => None,
    };
    if let Some(kind) = kind {
        return Err(state::exception(cx, text!("Can not use ", method, " on ", kind, " property ", name)));
    }
    check_object(cx, p, object)?;
    let mut at = Some(ClassPtr::of(object));
    while let Some(class) = at {
        if class.is(class_flags::BUILTIN) && class.lower.as_bytes() != b"stdclass" {
            let own = ClassPtr::of(object).name.clone();
            return Err(state::exception(cx, text!("Can not use ", method, " on internal class ", own.as_bytes())));
        }
        at = class.parent;
    }
    Ok(())
}

pub fn set_raw_value_without_lazy_initialization(cx: &mut Cx, this: &PObject, object: &PObject, value: &Value) -> Res<()> {
    let p = of_object(cx, this, object)?;
    check_lazy(cx, &p, object, "setRawValueWithoutLazyInitialization")?;
    let what = Lazy::SetRaw { object, class: p.owner(), name: &p.name, value: value.clone() };
    cx.engine().lazy(cx, what).map(drop)
}

pub fn skip_lazy_initialization(cx: &mut Cx, this: &PObject, object: &PObject) -> Res<()> {
    let p = of_object(cx, this, object)?;
    check_lazy(cx, &p, object, "skipLazyInitialization")?;
    cx.engine().lazy(cx, Lazy::SkipProperty { object, class: p.owner(), name: &p.name }).map(drop)
}

pub fn is_lazy(cx: &mut Cx, this: &PObject, object: &PObject) -> Res<bool> {
    let p = state::property(cx, this)?;
    let stored = matches!(p.declared(), Some(Declared::Instance(q)) if !q.is_virtual());
    if !stored {
        return Ok(false);
    }
    check_object(cx, &p, object)?;
    Ok(cx.engine().lazy(cx, Lazy::IsLazyProperty { object, class: p.owner(), name: &p.name })?.is_true())
}
