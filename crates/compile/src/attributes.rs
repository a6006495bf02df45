//! Attributes: names and constant-expression arguments, kept for Reflection and for the engine's own ones.

use crate::Result;
use crate::names::class_name;
use crate::unit::Compiler;
use jumbo_bytecode::unit::Attribute;
use jumbo_syntax::ast::AttributeGroup;
use jumbo_value::PStr;

/// What an attribute stands on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Class,
    Function,
    Method,
    Property,
    ClassConstant,
    Parameter,
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Target::Class => "class",
            Target::Function => "function",
            Target::Method => "method",
            Target::Property => "property",
            Target::ClassConstant => "class constant",
            Target::Parameter => "parameter",
        }
    }
}

/// The engine's own attributes and where they may stand; none may be repeated. PHP checks these when it compiles.
const INTERNAL: &[(&[u8], &[Target])] = &[
    (b"attribute", &[Target::Class]),
    (b"allowdynamicproperties", &[Target::Class]),
    (b"returntypewillchange", &[Target::Method]),
    (b"override", &[Target::Method]),
    (b"sensitiveparameter", &[Target::Parameter]),
    (
        b"deprecated",
        &[Target::Function, Target::Method, Target::ClassConstant],
    ),
];

impl<'a> Compiler<'a, '_> {
    pub fn attributes(
        &mut self,
        groups: &'a [AttributeGroup<'a>],
        target: Target,
    ) -> Result<Vec<Attribute>> {
        let mut result: Vec<Attribute> = Vec::new();
        for attribute in groups.iter().flat_map(|g| g.attributes) {
            let name = class_name(&self.namespace.class(&attribute.name));
            if let Some((_, allowed)) = INTERNAL
                .iter()
                .find(|(lower, _)| *lower == name.lower.as_bytes())
            {
                let shown = String::from_utf8_lossy(name.name.as_bytes()).into_owned();
                if !allowed.contains(&target) {
                    let names: Vec<&str> = allowed.iter().map(|t| t.name()).collect();
                    return self.error(format!(
                        "Attribute \"{shown}\" cannot target {} (allowed targets: {})",
                        target.name(),
                        names.join(", ")
                    ));
                }
                if result.iter().any(|other| other.name.handle == name.handle) {
                    return self.error(format!("Attribute \"{shown}\" must not be repeated"));
                }
            }
            let mut args = Vec::new();
            if let Some(list) = attribute.args {
                if list.first_class_callable {
                    return self.error("Cannot create Closure as attribute argument");
                }
                let mut names: Vec<&[u8]> = Vec::new();
                for arg in list.items {
                    if arg.spread {
                        return self.error("Cannot use unpacking in attribute argument list");
                    }
                    match arg.name {
                        Some(name) if names.contains(&name) => {
                            return self.error([b"Duplicate named parameter $", name].concat());
                        }
                        Some(name) => names.push(name),
                        None if !names.is_empty() => {
                            return self
                                .error("Cannot use positional argument after named argument");
                        }
                        None => {}
                    }
                    let was = std::mem::replace(&mut self.f.allow_new, true);
                    let value = self.constant_expr(arg.value);
                    self.f.allow_new = was;
                    args.push((arg.name.map(PStr::immortal), value?));
                }
            }
            result.push(Attribute {
                name,
                args,
                line: attribute.line,
            });
        }
        Ok(result)
    }
}
