//! Attributes: names and constant-expression arguments, kept for Reflection and for the engine's own ones.

use crate::Result;
use crate::names::class_name;
use crate::unit::Compiler;
use jumbo_bytecode::unit::Attribute;
use jumbo_syntax::ast::AttributeGroup;
use jumbo_value::PStr;

impl<'a> Compiler<'a, '_> {
    pub fn attributes(&mut self, groups: &'a [AttributeGroup<'a>]) -> Result<Vec<Attribute>> {
        let mut result = Vec::new();
        for attribute in groups.iter().flat_map(|g| g.attributes) {
            let name = class_name(&self.namespace.class(&attribute.name));
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
                            return self.error("Cannot use positional argument after named argument");
                        }
                        None => {}
                    }
                    let was = std::mem::replace(&mut self.f.allow_new, true);
                    let value = self.constant_expr(arg.value);
                    self.f.allow_new = was;
                    args.push((arg.name.map(PStr::immortal), value?));
                }
            }
            result.push(Attribute { name, args, line: attribute.line });
        }
        Ok(result)
    }
}
