//! Properties: declared and promoted ones, and their hooks.

use crate::Result;
use crate::attributes::Target;
use crate::class::Seen;
use crate::function::{FunctionContext, visibility_flags};
use crate::names::lower;
use crate::unit::Compiler;
use jumbo_bytecode::types::{Type, mask};
use jumbo_bytecode::unit::{ClassDecl, PropertyDecl, class_flags, func_flags, member_flags};
use jumbo_syntax::ast::{self, Function, FunctionBody, Modifiers, Properties};
use jumbo_value::PStr;

impl<'a> Compiler<'a, '_> {
    /// A message about a property of the class at hand.
    pub fn property_message(&self, before: &[u8], name: &[u8], after: &[u8]) -> Vec<u8> {
        [before, &self.class_prefix(), b"$", name, after].concat()
    }

    pub fn properties(
        &mut self,
        properties: &'a Properties<'a>,
        decl: &mut ClassDecl,
        seen: &mut Seen,
    ) -> Result<()> {
        let interface = decl.flags & class_flags::INTERFACE != 0;
        if decl.flags & class_flags::ENUM != 0 {
            let class = self.class_prefix();
            let class = class.strip_suffix(b"::").unwrap_or(&class).to_vec();
            return self
                .error([b"Enum ".as_slice(), &class, b" cannot include properties"].concat());
        }
        let mut flags = self.member_flags(properties.modifiers, true)?;
        let ty = match properties.ty {
            Some(ty) => Some(self.declared_type(ty)?),
            None => None,
        };
        for item in properties.items {
            self.f.b.line = item.line;
            if interface && item.hooks.is_none() {
                return self.error("Interfaces may only include hooked properties");
            }
            if flags & member_flags::ABSTRACT != 0 && item.hooks.is_none() {
                return self.error("Only hooked properties may be declared abstract");
            }
            if let Some(ty) = &ty
                && ty.mask & (mask::VOID | mask::NEVER | mask::CALLABLE) != 0
            {
                let message = self.property_message(
                    b"Property ",
                    item.name,
                    &[b" cannot have type ".as_slice(), &ty.display()].concat(),
                );
                return self.error(message);
            }
            if decl.flags & class_flags::READONLY != 0 {
                flags |= member_flags::READONLY;
            }
            if flags & member_flags::READONLY != 0 {
                if flags & member_flags::STATIC != 0 {
                    let message = self.property_message(
                        b"Static property ",
                        item.name,
                        b" cannot be readonly",
                    );
                    return self.error(message);
                }
                if ty.is_none() {
                    let message =
                        self.property_message(b"Readonly property ", item.name, b" must have type");
                    return self.error(message);
                }
                if item.default.is_some() {
                    let message = self.property_message(
                        b"Readonly property ",
                        item.name,
                        b" cannot have default value",
                    );
                    return self.error(message);
                }
            }
            if !seen.properties.insert(item.name.to_vec()) {
                let message = self.property_message(b"Cannot redeclare ", item.name, b"");
                return self.error(message);
            }
            // `__PROPERTY__` in the default and in attributes.
            let around = self.f.hook_property.replace(item.name.to_vec());
            let default = match item.default {
                None => None,
                Some(e) => {
                    self.check_constant_expression(e)?;
                    let literal = self.const_eval(e)?;
                    let class = String::from_utf8_lossy(&self.class_prefix()).into_owned();
                    Some(match (literal, &ty) {
                        (Some(value), Some(ty)) => {
                            let value = self.default_for_type(
                                value,
                                ty,
                                "property ",
                                item.name,
                                &format!("{class}$"),
                            )?;
                            jumbo_bytecode::unit::ConstExpr::Literal(value.to_raw())
                        }
                        (Some(value), None) => {
                            jumbo_bytecode::unit::ConstExpr::Literal(value.to_raw())
                        }
                        (None, _) => self.thunk_expr(e)?,
                    })
                }
            };
            let attributes = self.attributes(properties.attributes, Target::Property)?;
            self.f.hook_property = around;
            let mut property = PropertyDecl {
                name: PStr::immortal(item.name),
                flags,
                ty: ty.clone(),
                default,
                get_hook: None,
                set_hook: None,
                attributes,
                doc_comment: item.doc.map(PStr::immortal),
                line: item.line,
            };
            if let Some(hooks) = item.hooks {
                self.hooks(item.name, hooks, &mut property, interface)?;
            }
            self.f.b.line = item.line;
            self.check_property(&property)?;
            decl.properties.push(property);
        }
        Ok(())
    }

    /// Compiles the hooks of a property.
    fn hooks(
        &mut self,
        name: &'a [u8],
        hooks: &'a [Function<'a>],
        property: &mut PropertyDecl,
        interface: bool,
    ) -> Result<()> {
        if interface {
            if property.flags & member_flags::VISIBILITY != member_flags::PUBLIC {
                return self.error("Property in interface cannot be protected or private");
            }
            if property.flags & member_flags::FINAL != 0 {
                return self.error("Property in interface cannot be final");
            }
            if property.flags & member_flags::ABSTRACT != 0 {
                return self.error(
                    "Property in interface cannot be explicitly abstract. All interface members are implicitly abstract",
                );
            }
        }
        if property.flags & member_flags::READONLY != 0 {
            return self.error("Hooked properties cannot be readonly");
        }
        if property.flags & member_flags::STATIC != 0 {
            return self.error("Cannot declare hooks for static property");
        }
        if hooks.is_empty() {
            return self.error("Property hook list must not be empty");
        }
        let outer_backed = std::mem::replace(&mut self.hook_backed, false);
        let mut has_abstract = false;
        for hook in hooks {
            self.f.b.line = hook.start_line;
            let kind = lower(hook.name);
            let bodiless = matches!(hook.body, FunctionBody::None);
            let is_abstract = interface || property.flags & member_flags::ABSTRACT != 0;
            let hook_final = hook.modifiers.has(Modifiers::FINAL);
            if hook_final && property.flags & member_flags::PRIVATE != 0 {
                return self.error("Property hook cannot be both final and private");
            }
            if bodiless && is_abstract && hook_final {
                return self.error("Property hook cannot be both abstract and final");
            }
            if bodiless && is_abstract && property.flags & member_flags::PRIVATE != 0 {
                return self.error("Property hook cannot be both abstract and private");
            }
            if bodiless && !is_abstract {
                return self.error("Non-abstract property hook must have a body");
            }
            let setter = match kind.as_slice() {
                b"get" => false,
                b"set" => true,
                _ => {
                    let message = [
                        b"Unknown hook \"".as_slice(),
                        hook.name,
                        b"\" for property ",
                        &self.class_prefix(),
                        b"$",
                        name,
                        b", expected \"get\" or \"set\"",
                    ]
                    .concat();
                    return self.error(message);
                }
            };
            if (setter && property.set_hook.is_some()) || (!setter && property.get_hook.is_some()) {
                return self.error(
                    [
                        b"Cannot redeclare property hook \"".as_slice(),
                        &kind,
                        b"\"",
                    ]
                    .concat(),
                );
            }
            if !setter && hook.params.is_some() {
                let message = self.property_message(
                    b"get hook of property ",
                    name,
                    b" must not have a parameter list",
                );
                return self.error(message);
            }
            if setter && let Some([param]) = hook.params {
                let what = if param.by_ref {
                    Some("must not be pass-by-reference")
                } else if param.variadic {
                    Some("must not be variadic")
                } else if param.default.is_some() {
                    Some("must not have a default value")
                } else {
                    None
                };
                if let Some(what) = what {
                    let message = [
                        b"Parameter $".as_slice(),
                        param.name,
                        b" of set hook ",
                        &self.class_prefix(),
                        b"$",
                        name,
                        b" ",
                        what.as_bytes(),
                    ]
                    .concat();
                    return self.error(message);
                }
            }
            has_abstract |= bodiless;
            let mut flags = func_flags::HOOK | visibility_flags(hook.modifiers);
            if bodiless {
                flags |= func_flags::ABSTRACT;
            }
            if hook.modifiers.has(Modifiers::FINAL) {
                flags |= func_flags::FINAL;
            }
            let full = [b"$".as_slice(), name, b"::", &kind].concat();
            let number = self.reserve_function();
            self.hook_type = property.ty.clone();
            if setter && matches!(hook.body, FunctionBody::Expr(_)) {
                self.hook_backed = true;
            }
            let proto = self.function(
                hook,
                &FunctionContext {
                    number,
                    name: &full,
                    short_name: &full,
                    flags,
                    hook_property: Some(name),
                },
            )?;
            self.functions[number as usize] = Some(proto);
            if setter {
                property.set_hook = Some(number);
            } else {
                property.get_hook = Some(number);
            }
        }
        let backed = std::mem::replace(&mut self.hook_backed, outer_backed);
        if interface {
            property.flags |= member_flags::ABSTRACT;
        } else if property.flags & member_flags::ABSTRACT != 0 && !has_abstract {
            let message = self.property_message(
                b"Abstract property ",
                name,
                b" must specify at least one abstract hook",
            );
            return self.error(message);
        }
        if backed
            && property.set_hook.is_some()
            && property.get_hook.is_some_and(|n| {
                self.functions[n as usize]
                    .as_ref()
                    .is_some_and(|f| f.flags & func_flags::RETURNS_REF != 0)
            })
        {
            let class = self.class_prefix();
            return self.error(
                [
                    b"Get hook of backed property ".as_slice(),
                    &class,
                    name,
                    b" with set hook may not return by reference",
                ]
                .concat(),
            );
        }
        if !backed {
            property.flags |= member_flags::VIRTUAL;
            // A parent's property of the same name may lend its storage.
            if property.default.is_some() && !self.class.as_ref().is_some_and(|c| c.has_parent) {
                let message = self.property_message(
                    b"Cannot specify default value for virtual hooked property ",
                    name,
                    b"",
                );
                return self.error(message);
            }
        }
        Ok(())
    }

    /// Properties that a constructor's parameters declare.
    pub fn promoted_properties(
        &mut self,
        method: &'a Function<'a>,
        proto: &jumbo_bytecode::unit::FunctionProto,
        decl: &mut ClassDecl,
        seen: &mut Seen,
    ) -> Result<()> {
        for (param, compiled) in method.params.unwrap_or(&[]).iter().zip(&proto.params) {
            let Some(flags) = compiled.promoted else {
                continue;
            };
            self.f.b.line = method.start_line;
            if decl.flags & class_flags::ENUM != 0 {
                let class = self.class_prefix();
                let class = class.strip_suffix(b"::").unwrap_or(&class).to_vec();
                return self
                    .error([b"Enum ".as_slice(), &class, b" cannot include properties"].concat());
            }
            if !seen.properties.insert(param.name.to_vec()) {
                let message = self.property_message(b"Cannot redeclare ", param.name, b"");
                return self.error(message);
            }
            let ty: Option<Type> = compiled.ty.clone();
            let mut property = PropertyDecl {
                name: PStr::immortal(param.name),
                flags,
                // An untyped promoted property is null until the constructor runs, a typed one uninitialised.
                default: None,
                ty,
                get_hook: None,
                set_hook: None,
                // Those of the parameter stand for both.
                attributes: self.promoted_attributes(param)?,
                doc_comment: param.doc.map(PStr::immortal),
                line: param.line,
            };
            if let Some(hooks) = param.hooks {
                self.hooks(param.name, hooks, &mut property, false)?;
            }
            self.f.b.line = method.start_line;
            self.check_property(&property)?;
            decl.properties.push(property);
        }
        Ok(())
    }

    /// Attributes of a promoted parameter, as its property has them.
    fn promoted_attributes(
        &mut self,
        param: &'a ast::Param<'a>,
    ) -> Result<Vec<jumbo_bytecode::unit::Attribute>> {
        let mut attributes = self.attributes(param.attributes, Target::Parameter)?;
        attributes.retain(|a| a.name.lower.as_bytes() != b"sensitiveparameter");
        Ok(attributes)
    }
}
