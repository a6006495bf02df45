//! `ReflectionAttribute`: arguments, and making an object of the attribute's class.

use crate::attributes::target;
use crate::members::{self, modifiers as m};
use crate::state::{self, Attr, AttrSource};
use crate::text::{self as texts, Text};
use crate::text;
use jumbo_abi::request::CallSite;
use jumbo_abi::{Callable, ClassPtr, Cx, Key, KeyRef, PArray, PObject, PStr, Res, Stop, Value};
use jumbo_bytecode::unit::ConstExpr;

pub fn get_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    Ok(state::attribute(cx, this)?.name())
}

pub fn get_target(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(state::attribute(cx, this)?.target as i64)
}

pub fn is_repeated(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::attribute(cx, this)?.repeated)
}

/// A value in the source text of a builtin's attribute: constants joined by `|`, or a literal.
fn builtin_value(cx: &mut Cx, text: &str) -> Res<Value> {
    let text = text.trim();
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '\'' | '"')) {
        let inside = text[1..].strip_suffix(quote).unwrap_or(&text[1..]);
        return Ok(Value::from(inside));
    }
    let mut bits = 0;
    for part in text.split('|').map(str::trim) {
        let value = match part.parse::<i64>() {
            Ok(n) => Value::from(n),
            Err(_) => cx.engine().constant(cx, part.as_bytes())?.unwrap_or_default(),
        };
        match value.as_int() {
            Some(n) => bits |= n,
            None => return Ok(value),
        }
    }
    Ok(Value::from(bits))
}

/// Arguments with names as string keys.
fn arguments(cx: &mut Cx, attr: &Attr) -> Res<PArray> {
    let mut args = PArray::new();
    match &attr.source {
        AttrSource::User { unit, attribute } => {
            for (key, value) in cx.engine().attribute_args(cx, unit, attribute, attr.scope)? {
                args.set(key, value);
            }
        }
        AttrSource::Builtin(text) => {
            for (name, source) in Attr::builtin_args(text) {
                let value = builtin_value(cx, source)?;
                match name {
                    Some(name) => args.set(Key::Str(PStr::new(name.as_bytes())), value),
                    None => args.append(value),
                }
            }
        }
    }
    Ok(args)
}

pub fn get_arguments(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let attr = state::attribute(cx, this)?;
    arguments(cx, &attr)
}

/// The flags of a class that is an attribute.
fn flags_of(cx: &mut Cx, class: ClassPtr) -> Res<u32> {
    let own = class.get();
    let marker = match (own.unit(), own.decl(), own.desc()) {
        (Some(unit), Some(decl), _) => decl
            .attributes
            .iter()
            .find(|a| a.name.lower.as_bytes() == b"attribute")
            .map(|attribute| AttrSource::User { unit: unit.clone(), attribute }),
        (_, _, Some(desc)) => desc.attributes.iter().find(|text| text.trim_start_matches('\\').starts_with("Attribute")).map(|text| AttrSource::Builtin(text)),
        _ => None,
    };
    let Some(source) = marker else {
        return Err(cx.throw_error(text!("Attempting to use non-attribute class \"", class.name.as_bytes(), "\" as attribute")));
    };
    let args = arguments(cx, &Attr { source, target: target::CLASS, scope: Some(class), repeated: false })?;
    // The name of the argument is not looked at.
    let Some(value) = args.values().next() else { return Ok(target::ALL) };
    let Some(flags) = value.as_int() else {
        let given = jumbo_abi::args::type_name(value);
        return Err(cx.throw_error(text!("Attribute::__construct(): Argument #1 ($flags) must be of type int, ", given, " given")));
    };
    match u32::try_from(flags) {
        Ok(flags) if flags & !(target::ALL | target::IS_REPEATABLE) == 0 => Ok(flags),
        _ => Err(cx.throw_error("Invalid attribute flags specified")),
    }
}

const TARGETS: [(u32, &str); 6] = [
    (target::CLASS, "class"),
    (target::FUNCTION, "function"),
    (target::METHOD, "method"),
    (target::PROPERTY, "property"),
    (target::CLASS_CONSTANT, "class constant"),
    (target::PARAMETER, "parameter"),
];

fn target_names(flags: u32) -> String {
    TARGETS.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
}

pub fn new_instance(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let attr = state::attribute(cx, this)?;
    let name = attr.name();
    let Some(class) = cx.find_class(name.as_bytes(), true)? else {
        return Err(cx.throw_error(text!("Attribute class \"", name.as_bytes(), "\" not found")));
    };
    let flags = flags_of(cx, class)?;
    if flags & attr.target == 0 {
        let text = text!(
            "Attribute \"", name.as_bytes(), "\" cannot target ", target_names(attr.target), " (allowed targets: ", target_names(flags), ")"
        );
        return Err(cx.throw_error(text));
    }
    if attr.repeated && flags & target::IS_REPEATABLE == 0 {
        return Err(cx.throw_error(text!("Attribute \"", name.as_bytes(), "\" must not be repeated")));
    }
    let args = arguments(cx, &attr)?;
    // The constructor is called from where the attribute is written.
    let site = match &attr.source {
        AttrSource::User { unit, attribute } => {
            Some(CallSite { file: unit.file.clone(), line: attribute.line, strict: unit.strict_types })
        }
        AttrSource::Builtin(_) => None,
    };
    make(cx, class, &args, site)
}

fn make(cx: &mut Cx, class: ClassPtr, args: &PArray, site: Option<CallSite>) -> Res<PObject> {
    let object = cx.new_object(class)?;
    let result = construct(cx, class, &object, args, site);
    if result.is_err() {
        // A constructor that failed: the destructor must not run.
        object.mark_destructed();
    }
    result.map(|()| object)
}

fn construct(cx: &mut Cx, class: ClassPtr, object: &PObject, args: &PArray, site: Option<CallSite>) -> Result<(), Stop> {
    let Some(constructor) = class.magic.constructor else {
        if args.is_empty() {
            return Ok(());
        }
        if let Some((KeyRef::Str(name), _)) = args.iter().find(|(key, _)| matches!(key, KeyRef::Str(_))) {
            return Err(cx.throw_error(text!("Unknown named parameter $", name.as_bytes())));
        }
        let text = text!("Attribute class ", class.name.as_bytes(), " does not have a constructor, cannot pass arguments");
        return Err(cx.throw_error(text));
    };
    if members::of_method(constructor.flags) & m::PUBLIC == 0 {
        let word = members::visibility(members::of_method(constructor.flags));
        let from = match cx.caller_scope() {
            Some(scope) => text!("scope ", scope.name.as_bytes()),
            None => b"global scope".to_vec(),
        };
        return Err(cx.throw_error(text!("Call to ", word, " ", class.name.as_bytes(), "::__construct() from ", from)));
    }
    let callable = Callable {
        function: constructor,
        this: Some(object.clone()),
        class: Some(class),
        closure: None,
        magic_name: None,
        value: Value::null(),
    };
    match site {
        Some(site) => cx.engine().call_from(cx, &callable, args, site).map(drop),
        None => cx.call_with_array(&callable, args).map(drop),
    }
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let attr = state::attribute(cx, this)?;
    let mut out = Text::new();
    out.put("Attribute [ ").put(attr.name().as_bytes()).put(" ]");
    let mut shown: Vec<PStr> = Vec::new();
    match &attr.source {
        AttrSource::User { attribute, .. } => {
            for (name, expr) in &attribute.args {
                let mut text = Text::new();
                if let Some(name) = name {
                    text.put(name.as_bytes()).put(" = ");
                }
                match expr {
                    ConstExpr::Thunk { text: source, .. } => {
                        text.put(source.as_bytes());
                    }
                    // Literals of units are immortal.
                    ConstExpr::Literal(raw) => texts::value_source(cx, &jumbo_abi::registry::value_of(*raw), &mut text)?,
                }
                shown.push(text.finish()?);
            }
        }
        AttrSource::Builtin(source) => {
            for (name, value) in Attr::builtin_args(source) {
                let value = builtin_value(cx, value)?;
                let mut text = Text::new();
                if let Some(name) = name {
                    text.put(name).put(" = ");
                }
                texts::value_source(cx, &value, &mut text)?;
                shown.push(text.finish()?);
            }
        }
    }
    if shown.is_empty() {
        out.put("\n");
        return Ok(Value::from(out.finish()?));
    }
    out.put(" {\n  - Arguments [").number(shown.len()).put("] {\n");
    for (n, text) in shown.iter().enumerate() {
        out.put("    Argument #").number(n).put(" [ ").put(text).put(" ]\n");
    }
    out.put("  }\n}\n");
    Ok(Value::from(out.finish()?))
}
