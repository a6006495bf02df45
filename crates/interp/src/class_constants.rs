//! What classes evaluate lazily: constants, enum cases, defaults of properties, static properties. All of it per instance.

use crate::lookup::text;
use crate::types;
use crate::vm::Vm;
use jumbo_abi::class::{ClassConst, ConstSource, StaticProperty};
use jumbo_abi::{ClassPtr, Cx, FnPtr, Function, Level, Res, Stop, Type, class_flags, member_flags};
use jumbo_bytecode::unit::{ConstExpr, Unit};
use jumbo_value::hash::WordMap;
use jumbo_value::{PObject, Raw, Value, tag};
use std::sync::Arc;

/// Functions made of thunks, by thunk and scope.
#[derive(Default)]
#[allow(clippy::vec_box)]
struct Thunks {
    functions: WordMap<(usize, usize, Shown), Box<Function>>,
    /// How many are running.
    running: u32,
}

/// Is any expression of a class being evaluated?
pub fn is_evaluating(cx: &mut Cx) -> bool {
    cx.state::<Thunks>().running > 0
}

/// How traces show the evaluation of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Shown {
    /// As no call.
    No,
    /// As a call of `[constant expression]`.
    Call,
    /// The name of a constant and no more: as no call, and what goes wrong does so where the value is asked for.
    Caller,
}

/// Evaluates an expression of a unit in a class's scope.
pub fn evaluate(cx: &mut Cx, unit: &Arc<Unit>, expr: &ConstExpr, scope: Option<ClassPtr>) -> Res<Value> {
    evaluate_in(cx, unit, expr, scope, false)
}

/// `framed`: traces show it as a call of `[constant expression]` (defaults of properties); else they do not show it.
fn evaluate_in(cx: &mut Cx, unit: &Arc<Unit>, expr: &ConstExpr, scope: Option<ClassPtr>, framed: bool) -> Res<Value> {
    match expr {
        // SAFETY: a literal of a living unit, immortal.
        ConstExpr::Literal(raw) => Ok(unsafe { raw.into_value() }),
        ConstExpr::Thunk { function, text } => {
            // SAFETY: the machine is live.
            let nested = unsafe { (*Vm::of(cx)).fp.as_ref().is_some_and(|fp| fp.is_user() && fp.function().is(jumbo_abi::func_flags::THUNK)) };
            let plain = text.as_bytes().iter().all(|b| b.is_ascii_alphanumeric() || *b >= 0x80 || matches!(b, b'_' | b'\\'));
            let shown = match framed {
                false => Shown::No,
                true if plain => Shown::Caller,
                true if nested => Shown::No,
                true => Shown::Call,
            };
            let Some(proto) = unit.functions.get(*function as usize) else {
                return Err(cx.throw_error(b"Constant expression without code"));
            };
            let key = (std::ptr::from_ref(proto) as usize, scope.map_or(0, |s| s.as_ptr() as usize), shown);
            let thunks = &mut cx.state::<Thunks>().functions;
            let function = thunks
                .entry(key)
                .or_insert_with(|| {
                    let mut f = Function::user(unit.clone(), proto, scope, jumbo_runtime::inherit::next_function_id());
                    match shown {
                        Shown::No => f.name = jumbo_value::PStr::empty(),
                        Shown::Caller => f.name = jumbo_value::PStr::immortal(crate::errors::PLAIN_CONSTANT),
                        Shown::Call => {}
                    }
                    Box::new(f)
                });
            // SAFETY: boxed, and kept until the instance ends.
            let function = unsafe { FnPtr::new(function) };
            cx.state::<Thunks>().running += 1;
            // SAFETY: the machine is live.
            let value = unsafe { Vm::call_function(Vm::of(cx), function, None, scope, &[], None) };
            cx.state::<Thunks>().running -= 1;
            value.map(Value::into_deref)
        }
    }
}

/// The value of a source; `None` for a pure enum case.
fn value_of(cx: &mut Cx, source: &ConstSource, scope: ClassPtr, framed: bool) -> Res<Option<Value>> {
    match source {
        // SAFETY: known values are immortal.
        ConstSource::Known(raw) => Ok(Some(unsafe { raw.into_value() })),
        ConstSource::Expr { unit, expr } => {
            // SAFETY: a part of the unit, which the instance holds.
            let expr = unsafe { expr.as_ref() };
            evaluate_in(cx, unit, expr, Some(scope), framed).map(Some)
        }
        ConstSource::Case => Ok(None),
    }
}

/// The value of a default as Reflection asks for it; UNDEF for a property that starts uninitialised.
pub fn default_of(cx: &mut Cx, source: &ConstSource, scope: ClassPtr) -> Res<Value> {
    Ok(value_of(cx, source, scope, true)?.unwrap_or_default())
}

// ---- constants

/// A constant by name, whatever its visibility.
pub fn find(cx: &mut Cx, class: ClassPtr, name: &[u8]) -> Res<Option<Value>> {
    match class.constants.get(name) {
        Some(c) => constant(cx, c, None).map(Some),
        None => Ok(None),
    }
}

/// Constants whose deprecation's message is being evaluated.
#[derive(Default)]
struct Deprecations(Vec<usize>);

fn deprecation_runs(cx: &mut Cx, c: &ClassConst) -> bool {
    cx.state::<Deprecations>().0.contains(&(std::ptr::from_ref(c) as usize))
}

/// `class::name` from a scope. `shown`: the class as the code wrote it (`self`), for messages.
pub fn access(cx: &mut Cx, class: ClassPtr, name: &[u8], scope: Option<ClassPtr>, shown: Option<&[u8]>) -> Res<Value> {
    let c = accessible(cx, class, name, scope, shown)?;
    constant(cx, c, shown)
}

/// The constant `class::name`, when it is there for the scope.
pub fn accessible(cx: &mut Cx, class: ClassPtr, name: &[u8], scope: Option<ClassPtr>, shown: Option<&[u8]>) -> Res<&'static ClassConst> {
    // SAFETY: linked classes outlive the instance.
    let class_ref: &'static jumbo_abi::Class = unsafe { &*class.as_ptr() };
    let Some(c) = class_ref.constants.get(name) else {
        // Constant expressions say it as it is written.
        let in_constant = cx.engine().active_function(cx).is_some_and(|f| f.is(jumbo_abi::func_flags::THUNK));
        let shown = shown.filter(|_| in_constant).unwrap_or(class.name.as_bytes());
        return Err(cx.throw_error(text!("Undefined constant ", shown, "::", name)));
    };
    if !crate::objects::visible(c.flags, c.class, scope) {
        let word = if c.flags & member_flags::PRIVATE != 0 { "private" } else { "protected" };
        return Err(cx.throw_error(text!("Cannot access ", word, " constant ", class.name.as_bytes(), "::", name)));
    }
    if class.is(class_flags::TRAIT) && scope != Some(class) {
        return Err(cx.throw_error(text!("Cannot access trait constant ", class.name.as_bytes(), "::", name, " directly")));
    }
    if c.flags & member_flags::DEPRECATED != 0 && !deprecation_runs(cx, c) {
        let kind = if c.flags & member_flags::ENUM_CASE != 0 { "Enum case " } else { "Constant " };
        let shown = text!(kind, c.class.name.as_bytes(), "::", name, " is deprecated");
        // The message may name the constant itself.
        cx.state::<Deprecations>().0.push(std::ptr::from_ref(c) as usize);
        let text = crate::attributes::deprecation_of_constant(cx, c, shown);
        cx.state::<Deprecations>().0.pop();
        let text = text?;
        let builtin = matches!(c.class.source, jumbo_abi::class::ClassSource::Builtin(_));
        cx.raise(if builtin { Level::Deprecated } else { Level::UserDeprecated }, &text)?;
    }
    Ok(c)
}

/// The value of a constant, evaluated once per instance.
pub fn constant(cx: &mut Cx, c: &ClassConst, shown: Option<&[u8]>) -> Res<Value> {
    let case = c.flags & member_flags::ENUM_CASE != 0;
    if let (ConstSource::Known(raw), false) = (&c.value, case) {
        // SAFETY: known values are immortal.
        return Ok(unsafe { raw.into_value() });
    }
    let class = c.class;
    let Some(index) = class.constants.get_index_of(c.name.as_bytes()) else { return Ok(Value::null()) };
    constant_at(cx, c, index, shown)
}

/// As [`constant`], for number `index` of the class that declares it.
pub fn constant_at(cx: &mut Cx, c: &ClassConst, index: usize, shown: Option<&[u8]>) -> Res<Value> {
    let case = c.flags & member_flags::ENUM_CASE != 0;
    let class = c.class;
    let state = cx.class_state(class);
    if let Some(Some(value)) = state.constants.get(index) {
        return Ok(value.clone());
    }
    // Only what constant expressions name is marked; code that asks for a constant does not take part in its circle.
    if let Some(shown) = shown {
        if state.evaluating.contains(&(index as u32)) {
            return Err(cx.throw_error(text!("Cannot declare self-referencing constant ", shown, "::", c.name.as_bytes())));
        }
        state.evaluating.push(index as u32);
    }
    let result = fresh(cx, c, class, case);
    if shown.is_some() {
        cx.class_state(class).evaluating.retain(|n| *n != index as u32);
    }
    let value = result?;
    let state = cx.class_state(class);
    if let (true, Some(Some(value))) = (case, state.constants.get(index)) {
        // An enum case has one object.
        return Ok(value.clone());
    }
    if state.constants.len() <= index {
        state.constants.resize_with(class.constants.len(), || None);
    }
    if let Some(slot) = state.constants.get_mut(index) {
        *slot = Some(value.clone());
    }
    Ok(value)
}

fn fresh(cx: &mut Cx, c: &ClassConst, class: ClassPtr, case: bool) -> Res<Value> {
    let value = value_of(cx, &c.value, class, true)?;
    if case {
        let value = match value {
            Some(v) if class.enum_backing != 0 => {
                let fits = class.enum_backing >> v.raw().kind_byte() & 1 != 0;
                if !fits {
                    let word = if class.enum_backing == jumbo_abi::mask::INT { "int" } else { "string" };
                    return Err(cx.type_error(text!("Enum case type ", types::shown_type(&v), " does not match enum backing type ", word)));
                }
                check_duplicate(cx, class, &v)?;
                Some(v)
            }
            _ => None,
        };
        return Ok(Value::from(case_object(class, c, value)));
    }
    let mut value = value.unwrap_or_default();
    // `static` means the class itself here.
    let of_class = |ty: &Type, v: &Value| ty.mask & jumbo_abi::mask::STATIC != 0 && v.as_object().is_some_and(|o| ClassPtr::of(o).is_a(class));
    if let Some(ty) = &c.ty
        && !of_class(ty, &value)
        && !types::coerce(cx, &mut value, ty, Some(class), true)?
    {
        let text = text!(
            "Cannot assign ", types::shown_type(&value), " to class constant ", class.name.as_bytes(), "::", c.name.as_bytes(), " of type ", ty.display()
        );
        return Err(cx.type_error(text));
    }
    Ok(value)
}

/// Two cases with one backing value: an error of whichever is used.
fn check_duplicate(cx: &mut Cx, class: ClassPtr, value: &Value) -> Res<()> {
    let mut first: Option<&ClassConst> = None;
    for other in class.constants.values() {
        let ConstSource::Known(raw) = other.value else { continue };
        if other.flags & member_flags::ENUM_CASE == 0 {
            continue;
        }
        // SAFETY: known values are immortal.
        let theirs = unsafe { raw.into_value() };
        if !cx.identical(&theirs, value)? {
            continue;
        }
        match first {
            None => first = Some(other),
            Some(first) => {
                let text = text!(
                    "Duplicate value in enum ", class.name.as_bytes(), " for cases ", first.name.as_bytes(), " and ", other.name.as_bytes()
                );
                return Err(cx.throw_error(text));
            }
        }
    }
    Ok(())
}

/// The one object of an enum case.
fn case_object(class: ClassPtr, c: &ClassConst, value: Option<Value>) -> PObject {
    // SAFETY: linked classes outlive the instance.
    let object = unsafe { PObject::alloc(&raw const (*class.as_ptr()).head) };
    object.set_slot(0, Value::from(c.name.clone()));
    if let Some(value) = value
        && object.slot_count() > 1
    {
        object.set_slot(1, value);
    }
    object
}

// ---- defaults of instances

/// Evaluates the defaults of a class's slots, once per instance.
pub fn prepare_defaults(cx: &mut Cx, class: ClassPtr) -> Res<()> {
    evaluate_class(cx, class)?;
    prepare_slots(cx, class)
}

fn prepare_slots(cx: &mut Cx, class: ClassPtr) -> Res<()> {
    if class.known_defaults.is_some() || cx.class_state(class).defaults_ready {
        return Ok(());
    }
    let mut defaults = Vec::with_capacity(class.slots.len());
    for (n, slot) in class.slots.iter().enumerate() {
        if slot.class != class
            && let Some(value) = cx.class_state(class).inherited_defaults.get(n)
        {
            defaults.push(value.clone());
            continue;
        }
        let mut value = value_of(cx, &slot.default, slot.class, true)?.unwrap_or_default();
        if matches!(slot.default, ConstSource::Expr { .. })
            && let Some(ty) = &slot.ty
        {
            check_default(cx, &mut value, ty, slot.class, slot.name.as_bytes())?;
        }
        defaults.push(value);
    }
    let state = cx.class_state(class);
    state.defaults = defaults;
    state.defaults_ready = true;
    Ok(())
}

fn check_default(cx: &mut Cx, value: &mut Value, ty: &Type, class: ClassPtr, name: &[u8]) -> Res<()> {
    if types::coerce(cx, value, ty, Some(class), true)? {
        return Ok(());
    }
    let text =
        text!("Cannot assign ", types::shown_type(value), " to property ", class.name.as_bytes(), "::$", name, " of type ", ty.display());
    Err(cx.type_error(text))
}

// ---- static properties

/// Evaluates all that a class has to evaluate, its parents first: constants, defaults of instances, initial values of static properties.
/// What goes wrong with one of them comes with the first static property that is asked for, with the first instance, and with the first
/// constant of a backed enum.
pub fn evaluate_class(cx: &mut Cx, class: ClassPtr) -> Res<()> {
    if cx.class_state(class).evaluated {
        return Ok(());
    }
    if has_expressions(class) {
        if let Some(parent) = class.parent {
            evaluate_class(cx, parent)?;
        }
        for n in 0..class.constants.len() {
            if let Some((_, c)) = class.constants.get_index(n)
                && is_evaluated(c)
            {
                constant(cx, c, None)?;
            }
        }
        prepare_slots(cx, class)?;
    }
    prepare_statics(cx, class)?;
    cx.class_state(class).evaluated = true;
    Ok(())
}

/// Evaluates the initial values of the static properties that the class declares.
fn prepare_statics(cx: &mut Cx, class: ClassPtr) -> Res<()> {
    if cx.class_state(class).statics_ready {
        return Ok(());
    }
    let mut values: Vec<Value> = (0..class.static_count).map(|_| Value::null()).collect();
    for p in class.static_properties.values() {
        if p.class != class {
            continue;
        }
        let mut value = value_of(cx, &p.default, class, true)?.unwrap_or_default();
        if matches!(p.default, ConstSource::Expr { .. })
            && let Some(ty) = &p.ty
        {
            check_default(cx, &mut value, ty, class, p.name.as_bytes())?;
        }
        if let Some(slot) = values.get_mut(p.index as usize) {
            *slot = value;
        }
    }
    let state = cx.class_state(class);
    // An initialiser may have used a static property of the class itself.
    if !state.statics_ready {
        state.statics = values.into_boxed_slice();
        state.statics_ready = true;
    }
    Ok(())
}

/// A constant whose value is not there from the start.
fn is_evaluated(c: &ClassConst) -> bool {
    matches!(c.value, ConstSource::Expr { .. }) || c.flags & member_flags::ENUM_CASE != 0
}

/// Has the class anything to evaluate, be it inherited? Where all of it is overridden its parents are left alone.
fn has_expressions(class: ClassPtr) -> bool {
    let is_expression = |source: &ConstSource| matches!(source, ConstSource::Expr { .. });
    class.constants.values().any(is_evaluated)
        || class.slots.iter().any(|slot| is_expression(&slot.default))
        || class.static_properties.values().any(|p| is_expression(&p.default))
}

/// The slot of a static property.
pub fn static_slot(cx: &mut Cx, p: &StaticProperty) -> Res<*mut Raw> {
    if let Some(slot) = cx.class_states.slots.get(p.number) {
        return Ok(slot.as_ptr());
    }
    prepare_statics(cx, p.class)?;
    match cx.class_state(p.class).statics.get_mut(p.index as usize) {
        Some(value) => {
            let slot = std::ptr::NonNull::from(value).cast::<Raw>();
            cx.class_states.slots.bind(p.number, slot);
            Ok(slot.as_ptr())
        }
        None => Err(cx.throw_error(text!("Access to undeclared static property ", p.class.name.as_bytes(), "::$", p.name.as_bytes()))),
    }
}

#[cold]
pub fn undeclared_static(cx: &mut Cx, class: ClassPtr, name: &[u8]) -> Stop {
    cx.throw_error(text!("Access to undeclared static property ", class.name.as_bytes(), "::$", name))
}

/// A static property by name, whatever its visibility; None: undeclared or uninitialised.
pub fn static_property(cx: &mut Cx, class: ClassPtr, name: &[u8]) -> Res<Option<Value>> {
    let Some(p) = class.static_properties.get(name) else { return Ok(None) };
    let slot = static_slot(cx, p)?;
    // SAFETY: the slot is live.
    unsafe {
        let value = (*slot).deref();
        Ok(if value.is_undef() { None } else { Some(value.copied().into_value()) })
    }
}

/// Assigns to a static property, whatever its visibility.
pub fn set_static_property(cx: &mut Cx, class: ClassPtr, name: &[u8], value: Value) -> Res<()> {
    let Some(p) = class.static_properties.get(name) else { return Err(undeclared_static(cx, class, name)) };
    evaluate_class(cx, class)?;
    assign_static(cx, p, value).map(drop)
}

/// Assigns with the property's type; returns the value as it was taken.
pub fn assign_static(cx: &mut Cx, p: &StaticProperty, value: Value) -> Res<Value> {
    let mut value = value.into_deref();
    if let Some(ty) = &p.ty {
        let strict = cx.engine().caller_strict(cx);
        if !types::coerce(cx, &mut value, ty, Some(p.class), strict)? {
            let text = text!(
                "Cannot assign ", types::shown_type(&value), " to property ", p.class.name.as_bytes(), "::$", p.name.as_bytes(), " of type ", ty.display()
            );
            return Err(cx.type_error(text));
        }
    }
    let slot = static_slot(cx, p)?;
    // SAFETY: the slot is live; the old value is released after the new one is in place.
    unsafe {
        if (*slot).is_ref() {
            // A reference may belong to properties with types of their own.
            types::assign(Vm::of(cx), slot, value.into_raw())?;
            value = (*slot).deref().copied().into_value();
        } else {
            let old = std::mem::replace(&mut *slot, value.clone().into_raw());
            if old.tag != tag::UNDEF {
                old.release();
            }
        }
    }
    crate::objects::run_destructors(cx)?;
    Ok(value)
}

// ---- parameters

/// The default of parameter `n` of a function, evaluated in its scope.
pub fn param_default(cx: &mut Cx, function: FnPtr, n: usize) -> Res<Option<Value>> {
    if let (Some(unit), Some(proto)) = (function.unit().cloned(), function.proto()) {
        return match proto.params.get(n).and_then(|p| p.default.as_ref()) {
            Some(expr) => evaluate(cx, &unit, expr, function.scope).map(Some),
            None => Ok(None),
        };
    }
    let Some(text) = function.desc().and_then(|d| d.params.get(n)).and_then(|p| p.default) else { return Ok(None) };
    source_text(cx, text, function.scope).map(Some)
}

/// A default of a builtin, which its stub gives as source text.
fn source_text(cx: &mut Cx, text: &str, scope: Option<ClassPtr>) -> Res<Value> {
    let text = text.trim();
    match text.to_ascii_lowercase().as_str() {
        "null" => return Ok(Value::null()),
        "true" => return Ok(Value::from(true)),
        "false" => return Ok(Value::from(false)),
        "[]" | "array()" => return Ok(Value::empty_array()),
        _ => {}
    }
    let number = match text.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => i64::from_str_radix(octal, 8),
        _ => text.parse::<i64>(),
    };
    if let Ok(i) = number {
        return Ok(Value::from(i));
    }
    let quoted = |q: char| text.len() >= 2 && text.starts_with(q) && text.ends_with(q);
    if quoted('\'') && !text.contains('\\') {
        return Ok(Value::from(&text.as_bytes()[1..text.len() - 1]));
    }
    if quoted('"') && !text.contains(['\\', '$']) {
        return Ok(Value::from(&text.as_bytes()[1..text.len() - 1]));
    }
    if let Ok(f) = text.parse::<f64>() {
        return Ok(Value::from(f));
    }
    let name = match (text.strip_prefix("self::"), scope) {
        (Some(rest), Some(s)) => text!(s.name.as_bytes(), "::", rest),
        _ => text.as_bytes().to_vec(),
    };
    if let Some(class) = name.strip_suffix(b"::class") {
        return Ok(Value::from(class.strip_prefix(b"\\").unwrap_or(class)));
    }
    // Names in a stub are those of its class's namespace.
    if let (Some(scope), Some(at)) = (scope, name.windows(2).position(|w| w == b"::"))
        && let Some(end) = scope.name.as_bytes().iter().rposition(|b| *b == b'\\')
        && !name[..at].contains(&b'\\')
    {
        let qualified = text!(&scope.name.as_bytes()[..=end], &name);
        if crate::lookup::find_class(cx, &qualified[..end + 1 + at], false)?.is_some()
            && let Some(v) = crate::lookup::constant(cx, &qualified)?
        {
            return Ok(v);
        }
    }
    let is_name = name.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'\\' | b':'));
    if is_name && let Some(v) = crate::lookup::constant(cx, &name)? {
        return Ok(v);
    }
    // Anything else is an expression (`PHP_ROUND_HALF_UP | 1`): compiled as code.
    let code = jumbo_value::PStr::concat(&[b"return ", text.as_bytes(), b";"]);
    crate::include::eval(cx, &code, None)
}
