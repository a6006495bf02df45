//! Attributes at run time: their arguments, and what `#[\Deprecated]` says.

use crate::class_constants;
use crate::errors;
use crate::frame::{Frame, flags};
use crate::lookup::text;
use crate::trace_words::WORDS;
use crate::vm::Vm;
use jumbo_abi::class::{ClassConst, ClassSource};
use jumbo_abi::{ClassPtr, Cx, Level, PStr, Res, Type, mask};
use jumbo_bytecode::unit::{Attribute, Unit};
use jumbo_abi::throwable::slots;
use jumbo_value::{Key, PArray, Value};
use std::sync::Arc;

/// Evaluates the arguments of an attribute: positional ones by number, named ones by name.
pub fn attribute_args(cx: &mut Cx, unit: &Arc<Unit>, attribute: &Attribute, scope: Option<ClassPtr>) -> Res<Vec<(Key, Value)>> {
    let mut args = Vec::with_capacity(attribute.args.len());
    let mut position = 0;
    for (name, expr) in &attribute.args {
        let value = class_constants::evaluate(cx, unit, expr, scope)?;
        let key = match name {
            Some(name) => Key::Str(name.clone()),
            None => {
                position += 1;
                Key::Int(position - 1)
            }
        };
        args.push((key, value));
    }
    Ok(args)
}

/// ` since 8.1, use g() instead`: what a `#[\Deprecated(message, since)]` adds.
fn deprecation_suffix(cx: &mut Cx, unit: &Arc<Unit>, attributes: &[Attribute], scope: Option<ClassPtr>) -> Res<Vec<u8>> {
    let Some(attribute) = attributes.iter().find(|a| a.name.lower.as_bytes() == b"deprecated") else { return Ok(Vec::new()) };
    let args = attribute_args(cx, unit, attribute, scope)?;
    let strict = unit.strict_types;
    let mut arg = |position: i64, name: &str| -> Res<Option<PStr>> {
        let found = args.iter().find(|(k, _)| match k {
            Key::Int(i) => *i == position,
            Key::Str(s) => s.as_bytes() == name.as_bytes(),
        });
        let Some((_, value)) = found else { return Ok(None) };
        let ty = Type { mask: mask::STRING | mask::NULL, nullable_syntax: true, ..Type::default() };
        let mut value = value.clone();
        if !crate::types::coerce(cx, &mut value, &ty, scope, strict)? {
            let shown = crate::types::shown_type(&value);
            let text = text!(
                "Deprecated::__construct(): Argument #", (position + 1).to_string(), " ($", name, ") must be of type ?string, ", shown, " given"
            );
            let stop = cx.type_error(text);
            trace_constructor(cx, unit, attribute, &args);
            return Err(stop);
        }
        Ok(value.as_str().filter(|s| !s.is_empty()).cloned())
    };
    let mut out = Vec::new();
    let (message, since) = (arg(0, "message")?, arg(1, "since")?);
    if let Some(since) = since {
        out.extend_from_slice(b" since ");
        out.extend_from_slice(since.as_bytes());
    }
    if let Some(message) = message {
        out.extend_from_slice(b", ");
        out.extend_from_slice(message.as_bytes());
    }
    Ok(out)
}

/// The pending exception comes from the constructor of an attribute, which is called from where the attribute is written.
fn trace_constructor(cx: &mut Cx, unit: &Arc<Unit>, attribute: &Attribute, args: &[(Key, Value)]) {
    let Some(exception) = cx.exception.clone() else { return };
    let mut entry = errors::place_entry(Some((unit.file.clone(), attribute.line)));
    entry.set_str(&WORDS.function, PStr::new(b"__construct"));
    entry.set_str(&WORDS.class, attribute.name.name.clone());
    entry.set_str(&WORDS.kind, PStr::clone(&WORDS.on_object));
    if !cx.ini.bool("zend.exception_ignore_args") {
        let mut shown = PArray::new();
        for (key, value) in args {
            shown.set(key.clone(), value.clone());
        }
        entry.set_str(&WORDS.args, shown);
    }
    let mut trace = PArray::new();
    trace.append(entry);
    if let Some(rest) = exception.slot(slots::TRACE).as_array() {
        for value in rest.values() {
            trace.append(value.clone());
        }
    }
    exception.set_slot(slots::TRACE, Value::from(trace));
}

/// The deprecation of the function of a frame that is being entered.
///
/// # Safety
/// `nf` has its CVs initialised; `vm.fp` is the caller, or `nf` for a builtin.
pub unsafe fn raise_deprecated(vm: *mut Vm, nf: *mut Frame) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        let function = (*nf).function();
        let kind = if function.scope.is_some() { "Method " } else { "Function " };
        // A call through `__call` is that of the method it was made for.
        let name = match ((*nf).extra_ref().and_then(|e| e.magic_name.clone()), function.scope) {
            (Some(name), Some(class)) => text!(class.name.as_bytes(), "::", name.as_bytes()),
            _ => function.display_name(),
        };
        let mut text = text!(kind, name, "() is deprecated");
        if let (Some(unit), Some(proto)) = (function.unit().cloned(), function.proto()) {
            text.extend(deprecation_suffix(cx, &unit, &proto.attributes, function.scope)?);
        } else if let Some(desc) = function.desc() {
            text.extend(builtin_suffix(desc.attributes));
        }
        // User code raises "user deprecated", builtins "deprecated", as PHP does.
        let level = if function.desc().is_some() { Level::Deprecated } else { Level::UserDeprecated };
        // The place is the caller's; the handler runs above the frame that is being entered.
        let caller = crate::errors::user_frame(vm);
        let (file, line) = if caller.is_null() {
            (jumbo_value::PStr::empty(), 0)
        } else {
            (crate::errors::file_of(caller), crate::errors::line_of(vm, caller))
        };
        (*nf).flags |= flags::ENTERING;
        let result = crate::types::in_callee(vm, nf, || crate::errors::raise_at(cx, level, &text, file, line));
        (*nf).flags &= !flags::ENTERING;
        result
    }
}

/// The same of a builtin's attribute, which is source text: `Deprecated(since: '8.1', message: 'use x')`.
fn builtin_suffix(attributes: &[&str]) -> Vec<u8> {
    let Some(source) = attributes.iter().find(|a| a.trim_start_matches('\\').starts_with("Deprecated")) else { return Vec::new() };
    let arg = |name: &str| {
        let at = source.find(&format!("{name}:"))? + name.len() + 1;
        let rest = source[at..].trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        rest[1..].split(quote).next().map(str::to_owned)
    };
    let mut out = Vec::new();
    if let Some(since) = arg("since") {
        out.extend_from_slice(format!(" since {since}").as_bytes());
    }
    if let Some(message) = arg("message") {
        out.extend_from_slice(format!(", {message}").as_bytes());
    }
    out
}

/// `Constant A::B is deprecated` with what its attribute adds.
pub fn deprecation_of_constant(cx: &mut Cx, c: &ClassConst, mut text: Vec<u8>) -> Res<Vec<u8>> {
    if let (Some(list), ClassSource::User { unit, .. }) = (c.attributes, &c.class.source) {
        // SAFETY: attributes are a part of the unit, which the instance holds.
        let list = unsafe { list.as_ref() };
        text.extend(deprecation_suffix(cx, unit, list, Some(c.class))?);
    }
    Ok(text)
}
