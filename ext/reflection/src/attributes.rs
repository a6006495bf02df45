//! Lists of attributes: `getAttributes()` of everything that may have them.

use crate::state::{self, Attr, AttrSource, Reflected};
use crate::text;
use jumbo_abi::{ClassPtr, Cx, PArray, PStr, Res, Value};
use jumbo_bytecode::unit::{Attribute, Unit};
use std::rc::Rc;
use std::sync::Arc;

/// `Attribute::TARGET_*`
pub mod target {
    pub const CLASS: u32 = 1;
    pub const FUNCTION: u32 = 2;
    pub const METHOD: u32 = 4;
    pub const PROPERTY: u32 = 8;
    pub const CLASS_CONSTANT: u32 = 16;
    pub const PARAMETER: u32 = 32;
    pub const ALL: u32 = 63;
    pub const IS_REPEATABLE: u32 = 64;
}

/// `ReflectionAttribute::IS_INSTANCEOF`
const IS_INSTANCEOF: i64 = 2;

/// Where attributes stand.
#[derive(Clone, Copy)]
pub enum Attributes {
    None,
    User(&'static Arc<Unit>, &'static [Attribute]),
    Builtin(&'static [&'static str]),
}

impl Attributes {
    pub fn of_unit(unit: Option<&'static Arc<Unit>>, list: &'static [Attribute]) -> Attributes {
        unit.map_or(Attributes::None, |unit| Attributes::User(unit, list))
    }
    fn sources(self) -> Vec<AttrSource> {
        match self {
            Attributes::None => Vec::new(),
            Attributes::User(unit, list) => list.iter().map(|attribute| AttrSource::User { unit: unit.clone(), attribute }).collect(),
            Attributes::Builtin(list) => list.iter().map(|text| AttrSource::Builtin(text)).collect(),
        }
    }
}

/// The unit that holds the attributes of a member of `class`: that of the trait that the member came from, or the class's own.
pub fn unit_of_member(class: ClassPtr, list: &'static [Attribute], found_in: fn(&'static jumbo_abi::Class) -> Vec<&'static [Attribute]>) -> Option<&'static Arc<Unit>> {
    let from_trait = class.get().traits.iter().find(|t| found_in(t.get()).iter().any(|other| std::ptr::eq(*other, list)));
    match from_trait {
        Some(t) if !list.is_empty() => unit_of_member(*t, list, found_in),
        _ => class.get().unit(),
    }
}

/// Attributes of all properties of a class.
pub fn of_properties(class: &'static jumbo_abi::Class) -> Vec<&'static [Attribute]> {
    class.properties.values().map(|p| p.attributes()).chain(class.static_properties.values().map(|p| p.attributes())).collect()
}

/// Attributes of all constants of a class.
pub fn of_constants(class: &'static jumbo_abi::Class) -> Vec<&'static [Attribute]> {
    class.constants.values().map(|c| c.attributes()).collect()
}

/// The name of a builtin's attribute in its source text.
fn builtin_name(text: &str) -> &str {
    let end = text.find('(').unwrap_or(text.len());
    text[..end].trim().trim_start_matches('\\')
}

impl Attr {
    pub fn name(&self) -> PStr {
        match &self.source {
            AttrSource::User { attribute, .. } => attribute.name.name.clone(),
            AttrSource::Builtin(text) => PStr::new(builtin_name(text).as_bytes()),
        }
    }
    /// The arguments of a builtin's attribute: name and source text.
    pub fn builtin_args(text: &str) -> Vec<(Option<&str>, &str)> {
        let Some(inside) = text.find('(').and_then(|at| text[at + 1..].strip_suffix(')')) else { return Vec::new() };
        inside.split(", ").filter(|a| !a.trim().is_empty()).map(|arg| match arg.split_once(": ") {
            Some((name, value)) if name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') => (Some(name.trim()), value.trim()),
            _ => (None, arg.trim()),
        }).collect()
    }
}

/// `getAttributes($name, $flags)`.
pub fn list(cx: &mut Cx, attributes: Attributes, scope: Option<ClassPtr>, target: u32, name: Option<&PStr>, flags: i64) -> Res<PArray> {
    if flags & !IS_INSTANCEOF != 0 {
        return Err(cx.arg_value_error(2, "must be a valid attribute filter flag"));
    }
    let base = match name {
        Some(name) if flags & IS_INSTANCEOF != 0 => match cx.find_class(name.as_bytes(), true)? {
            Some(base) => Some(base),
            None => return Err(cx.throw_error(text!("Class \"", name.as_bytes(), "\" not found"))),
        },
        _ => None,
    };
    let lower = |name: &PStr| {
        let name = name.as_bytes();
        name.strip_prefix(b"\\").unwrap_or(name).to_ascii_lowercase()
    };
    let wanted = name.map(lower);
    let sources = attributes.sources();
    let all: Vec<Attr> = sources.into_iter().map(|source| Attr { source, target, scope, repeated: false }).collect();
    let names: Vec<Vec<u8>> = all.iter().map(|a| lower(&a.name())).collect();
    let mut found = PArray::new();
    for (mut attr, own) in all.into_iter().zip(&names) {
        match (&wanted, base) {
            (_, Some(base)) => {
                let shown = attr.name();
                match cx.find_class(shown.as_bytes(), true)? {
                    Some(class) if class.is_a(base) => {}
                    _ => continue,
                }
            }
            (Some(wanted), None) if wanted != own => continue,
            _ => {}
        }
        attr.repeated = names.iter().filter(|n| *n == own).count() > 1;
        let shown = attr.name();
        let object = state::make(cx, b"reflectionattribute", Reflected::Attribute(Rc::new(attr)))?;
        object.set_slot(state::NAME, Value::from(&shown));
        found.append(object);
    }
    Ok(found)
}
