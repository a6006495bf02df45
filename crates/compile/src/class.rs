//! Classes, interfaces, traits, enums and their members (properties are in `property`).

use crate::{Result, SourceKind};
use crate::attributes::Target;
use crate::function::{FunctionContext, visibility_flags};
use crate::konst::Const;
use crate::names::{class_name, is_reserved_class_name, lower};
use crate::unit::{ClassState, Compiler};
use jumbo_bytecode::Op;
use jumbo_bytecode::hash::{NameMap, NameSet};
use jumbo_bytecode::types::{ClassName, mask};
use jumbo_bytecode::unit::{
    ClassDecl, ConstantDecl, Hoisted, TraitAdaptation, class_flags, func_flags, member_flags,
};
use jumbo_syntax::ast::{
    self, Class, ClassConsts, ClassKind, EnumCase, Function, FunctionBody, MemberKind, Modifiers,
    Name,
};
use jumbo_value::PStr;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of the next anonymous class in an evaluated text, in the whole process.
static EVALUATED: AtomicU64 = AtomicU64::new(0);

/// Names of members seen so far.
#[derive(Default)]
pub struct Seen {
    pub methods: NameSet<Vec<u8>>,
    pub properties: NameSet<Vec<u8>>,
    pub constants: NameSet<Vec<u8>>,
}


impl<'a> Compiler<'a, '_> {
    /// A named class as a statement.
    pub fn class_statement(&mut self, class: &'a Class<'a>) -> Result<()> {
        let line = self.f.b.line;
        if self.class.is_some() {
            return self.error("Class declarations may not be nested");
        }
        let top = self.nesting == 0 && self.outer.is_empty();
        let (number, constants) = self.class_declaration(class)?;
        self.f.b.line = line;
        if top {
            let second = self.duplicate_classes.contains(&number);
            let decl = self.classes.get(number as usize).and_then(Option::as_ref);
            // As stock: classes with interfaces or traits are declared where they stand.
            let early =
                !second && decl.is_some_and(|d| d.interfaces.is_empty() && d.traits.is_empty());
            let alone = early && decl.is_some_and(|d| d.stands_alone());
            if early {
                self.know_constants(number, constants);
                self.hoisted_classes.push(Hoisted { number, diagnostics_before: self.diagnostics.len() });
            }
            if alone {
                return Ok(());
            }
        }
        self.f.b.emit_bc(Op::DeclareClass, 0, number);
        Ok(())
    }

    /// From here on constants of a class that is bound early are replaced by their values, as in PHP. `own`: those that are known.
    fn know_constants(&mut self, number: u32, mut own: NameMap<Vec<u8>, Const>) {
        let Some(decl) = self.classes.get(number as usize).and_then(Option::as_ref) else { return };
        if decl.flags & class_flags::TRAIT != 0 {
            return;
        }
        let mut constants = match &decl.parent {
            None => NameMap::default(),
            Some(parent) => match self.class_constants.get(parent.lower.as_bytes()) {
                Some(inherited) => inherited.clone(),
                // Only there when the file runs, if at all.
                None => return,
            },
        };
        for c in &decl.constants {
            match own.remove(c.name.as_bytes()) {
                Some(value) if c.flags & member_flags::PUBLIC != 0 => constants.insert(c.name.as_bytes().to_vec(), value),
                _ => constants.remove(c.name.as_bytes()),
            };
        }
        self.class_constants.insert(decl.lower.as_bytes().to_vec(), constants);
    }

    fn anonymous_name(&mut self, class: &Class<'_>) -> Vec<u8> {
        let prefix = match (&class.extends, class.implements.first()) {
            (Some(parent), _) => self.namespace.class(parent),
            (None, Some(interface)) => self.namespace.class(interface),
            (None, None) => b"class".to_vec(),
        };
        // Each evaluation of a text makes classes of its own, though the place is the same.
        let count = match self.options.kind {
            SourceKind::File => u64::from(self.anonymous_classes),
            SourceKind::Eval => EVALUATED.fetch_add(1, Ordering::Relaxed),
        };
        self.anonymous_classes += 1;
        let place = format!(":{}${count:x}", class.start_line);
        [
            prefix.as_slice(),
            b"@anonymous\0",
            self.options.file,
            place.as_bytes(),
        ]
        .concat()
    }

    /// Compiles a class: its number, and the values of its constants that are known.
    pub fn class_declaration(&mut self, class: &'a Class<'a>) -> Result<(u32, NameMap<Vec<u8>, Const>)> {
        self.f.b.line = class.start_line;
        let anonymous = class.kind == ClassKind::AnonymousClass;
        let name = if anonymous {
            self.anonymous_name(class)
        } else {
            if is_reserved_class_name(class.name) {
                let word = match class.kind {
                    ClassKind::Interface => "an interface",
                    ClassKind::Trait => "a trait",
                    ClassKind::Enum => "an enum",
                    _ => "a class",
                };
                return self.error(
                    [
                        b"Cannot use \"".as_slice(),
                        class.name,
                        b"\" as ",
                        word.as_bytes(),
                        b" name as it is reserved",
                    ]
                    .concat(),
                );
            }
            let full = self.namespace.prefixed(class.name);
            if let Some(imported) = self.namespace.imported_class(class.name)
                && lower(imported) != lower(&full)
            {
                return self.error(
                    [
                        b"Cannot redeclare class ".as_slice(),
                        &full,
                        b" (previously declared as local import)",
                    ]
                    .concat(),
                );
            }
            if class.name == b"_" {
                let word = match class.kind {
                    ClassKind::Interface => "an interface",
                    ClassKind::Trait => "a trait",
                    ClassKind::Enum => "an enum",
                    _ => "a class",
                };
                let line = class.start_line;
                self.warn(
                    8192,
                    format!("Using \"_\" as {word} name is deprecated since 8.4").into_bytes(),
                    line,
                );
            }
            self.seen_classes.insert(lower(&full));
            full
        };
        let lowered = lower(&name);
        let top = self.nesting == 0 && self.outer.is_empty() && !anonymous;
        if top && let Some(there) = self.options.world.builtin_class(&lowered) {
            return self.error([b"Cannot redeclare ".as_slice(), &there].concat());
        }
        // A second class of the same name is an error only when its declaration is reached.
        let second = top && !self.declared_classes.insert(lowered.clone());
        if second {
            self.duplicate_classes.insert(self.classes.len() as u32);
        }
        let number = self.classes.len();
        self.classes.push(None);
        let parent = match (&class.extends, class.kind) {
            (Some(parent), ClassKind::Class | ClassKind::AnonymousClass) => {
                Some(self.parent_class(parent, &name)?)
            }
            _ => None,
        };
        let mut interfaces = self.interfaces(class, &name)?;
        let state = ClassState {
            name: name.clone(),
            has_parent: parent.is_some(),
            is_trait: class.kind == ClassKind::Trait,
            is_anonymous: anonymous,
            is_readonly: class.modifiers.has(Modifiers::READONLY),
            parent_name: parent.as_ref().map(|p| p.name.as_bytes().to_vec()),
            constants: Default::default(),
        };
        let outer_class = self.class.replace(state);
        self.enter_function();
        let nesting = std::mem::replace(&mut self.nesting, 1);
        let decl = self.class_body(class, &name, parent, &mut interfaces);
        self.nesting = nesting;
        self.leave_function();
        let constants = std::mem::replace(&mut self.class, outer_class).map_or_else(NameMap::default, |class| class.constants);
        let mut decl = decl?;
        decl.interfaces = interfaces;
        self.classes[number] = Some(decl);
        Ok((number as u32, constants))
    }

    fn parent_class(&mut self, parent: &Name<'a>, _name: &[u8]) -> Result<ClassName> {
        self.f.b.line = parent.line;
        if is_reserved_class_name(parent.bytes) && parent.kind == ast::NameKind::Unqualified {
            return self.error(
                [
                    b"Cannot use \"".as_slice(),
                    parent.bytes,
                    b"\" as class name, as it is reserved",
                ]
                .concat(),
            );
        }
        Ok(class_name(&self.namespace.class(parent)))
    }

    fn interfaces(&mut self, class: &Class<'a>, _name: &[u8]) -> Result<Vec<ClassName>> {
        let mut result = Vec::new();
        for interface in class.implements {
            self.f.b.line = interface.line;
            if is_reserved_class_name(interface.bytes)
                && interface.kind == ast::NameKind::Unqualified
            {
                return self.error(
                    [
                        b"Cannot use \"".as_slice(),
                        interface.bytes,
                        b"\" as interface name, as it is reserved",
                    ]
                    .concat(),
                );
            }
            result.push(class_name(&self.namespace.class(interface)));
        }
        Ok(result)
    }

    fn class_body(
        &mut self,
        class: &'a Class<'a>,
        name: &[u8],
        parent: Option<ClassName>,
        interfaces: &mut Vec<ClassName>,
    ) -> Result<ClassDecl> {
        let mut flags = match class.kind {
            ClassKind::Interface => class_flags::INTERFACE,
            ClassKind::Trait => class_flags::TRAIT,
            ClassKind::Enum => class_flags::ENUM | class_flags::FINAL,
            ClassKind::AnonymousClass => class_flags::ANONYMOUS,
            ClassKind::Class => 0,
        };
        if class.modifiers.has(Modifiers::ABSTRACT) {
            flags |= class_flags::ABSTRACT;
        }
        if class.modifiers.has(Modifiers::FINAL) {
            flags |= class_flags::FINAL;
        }
        if class.modifiers.has(Modifiers::READONLY) {
            flags |= class_flags::READONLY | class_flags::NO_DYNAMIC;
        }
        let attributes = self.attributes(class.attributes, Target::Class)?;
        if attributes
            .iter()
            .any(|a| a.name.lower.as_bytes() == b"allowdynamicproperties")
        {
            let shown = jumbo_value::string::up_to_nul(name);
            let shown = String::from_utf8_lossy(shown).into_owned();
            let refused = match class.kind {
                ClassKind::Interface => Some(format!(
                    "Cannot apply #[AllowDynamicProperties] to interface {shown}"
                )),
                ClassKind::Trait => Some(format!(
                    "Cannot apply #[AllowDynamicProperties] to trait {shown}"
                )),
                ClassKind::Enum => Some(format!(
                    "Cannot apply #[AllowDynamicProperties] to enum {shown}"
                )),
                _ if class.modifiers.has(Modifiers::READONLY) => Some(format!(
                    "Cannot apply #[AllowDynamicProperties] to readonly class {shown}"
                )),
                _ => None,
            };
            if let Some(message) = refused {
                self.f.b.line = class.start_line;
                return self.error(message);
            }
            flags |= class_flags::ALLOW_DYNAMIC;
        }
        let mut enum_backing = 0;
        if let Some(ty) = class.backing_type {
            let ty = self.declared_type(ty)?;
            if ty.mask != mask::INT && ty.mask != mask::STRING || !ty.classes.is_empty() {
                let message = [
                    b"Enum backing type must be int or string, ".as_slice(),
                    &ty.display(),
                    b" given",
                ]
                .concat();
                return self.error(message);
            }
            enum_backing = ty.mask;
        }
        let lowered = lower(name);
        let handle = jumbo_bytecode::names::CLASSES.handle_as(name);
        let mut decl = ClassDecl {
            name: PStr::immortal(name),
            lower: PStr::immortal(&lowered),
            handle,
            flags,
            parent,
            interfaces: Vec::new(),
            traits: Vec::new(),
            adaptations: Vec::new(),
            constants: Vec::new(),
            properties: Vec::new(),
            methods: Vec::new(),
            enum_backing,
            attributes,
            doc_comment: class.doc.map(PStr::immortal),
            line_start: class.start_line,
            line_end: class.end_line,
        };
        let mut seen = Seen::default();
        for member in class.members {
            const MEMBER_BYTES: usize = 768;
            self.f.b.line = member.line;
            self.held += MEMBER_BYTES;
            self.check_memory()?;
            match member.kind {
                MemberKind::Const(consts) => self.class_constants(consts, &mut decl, &mut seen)?,
                MemberKind::Property(properties) => {
                    self.properties(properties, &mut decl, &mut seen)?
                }
                MemberKind::Method(method) => self.method(method, class, &mut decl, &mut seen)?,
                MemberKind::TraitUse(uses) => self.trait_use(uses, &mut decl)?,
                MemberKind::Case(case) => self.enum_case(case, &mut decl, &mut seen)?,
            }
        }
        self.f.b.line = class.start_line;
        // `Stringable` comes with `__toString`.
        let stringable = decl.methods.iter().any(|&n| {
            self.functions[n as usize]
                .as_ref()
                .is_some_and(|f| f.name.as_bytes().eq_ignore_ascii_case(b"__tostring"))
        });
        if stringable
            && class.kind != ClassKind::Trait
            && lowered != b"stringable"
            && !interfaces
                .iter()
                .any(|i| i.lower.as_bytes() == b"stringable")
        {
            interfaces.push(class_name(b"Stringable"));
        }
        if class.kind == ClassKind::Enum {
            interfaces.push(class_name(b"UnitEnum"));
            if enum_backing != 0 {
                interfaces.push(class_name(b"BackedEnum"));
            }
        }
        Ok(decl)
    }

    /// `A::`
    pub fn class_prefix(&self) -> Vec<u8> {
        let name = self.class.as_ref().map_or(&b""[..], |c| &c.name);
        [name, b"::"].concat()
    }

    /// Modifiers of a property or constant.
    pub fn member_flags(&mut self, modifiers: Modifiers, property: bool) -> Result<u32> {
        let mut flags = if modifiers.has(Modifiers::PRIVATE) {
            member_flags::PRIVATE
        } else if modifiers.has(Modifiers::PROTECTED) {
            member_flags::PROTECTED
        } else {
            member_flags::PUBLIC
        };
        for (modifier, flag) in [
            (Modifiers::STATIC, member_flags::STATIC),
            (Modifiers::READONLY, member_flags::READONLY),
            (Modifiers::FINAL, member_flags::FINAL),
            (Modifiers::ABSTRACT, member_flags::ABSTRACT),
            (Modifiers::PUBLIC_SET, member_flags::PUBLIC_SET),
            (Modifiers::PROTECTED_SET, member_flags::PROTECTED_SET),
            (Modifiers::PRIVATE_SET, member_flags::PRIVATE_SET),
        ] {
            if modifiers.has(modifier) {
                flags |= flag;
            }
        }
        if property && modifiers.has(Modifiers::FINAL) && modifiers.has(Modifiers::PRIVATE) {
            return self.error("Property cannot be both final and private");
        }
        Ok(flags)
    }

    fn class_constants(
        &mut self,
        consts: &'a ClassConsts<'a>,
        decl: &mut ClassDecl,
        seen: &mut Seen,
    ) -> Result<()> {
        for (bit, word) in [
            (Modifiers::STATIC, "static"),
            (Modifiers::ABSTRACT, "abstract"),
            (Modifiers::READONLY, "readonly"),
        ] {
            if consts.modifiers.has(bit) {
                return self.error(format!("Cannot use '{word}' as constant modifier"));
            }
        }
        let flags = self.member_flags(consts.modifiers, false)?;
        let interface = decl.flags & class_flags::INTERFACE != 0;
        let ty = match consts.ty {
            Some(ty) => Some(self.declared_type(ty)?),
            None => None,
        };
        for item in consts.items {
            self.f.b.line = item.line;
            let shown = [self.class_prefix().as_slice(), item.name].concat();
            if item.name.eq_ignore_ascii_case(b"class") {
                return self.error("A class constant must not be called 'class'; it is reserved for class name fetching");
            }
            if interface && flags & member_flags::VISIBILITY != member_flags::PUBLIC {
                return self.error(
                    [
                        b"Access type for interface constant ".as_slice(),
                        &shown,
                        b" must be public",
                    ]
                    .concat(),
                );
            }
            if flags & member_flags::PRIVATE != 0 && flags & member_flags::FINAL != 0 {
                return self.error(
                    [
                        b"Private constant ".as_slice(),
                        &shown,
                        b" cannot be final as it is not visible to other classes",
                    ]
                    .concat(),
                );
            }
            if !seen.constants.insert(item.name.to_vec()) {
                return self
                    .error([b"Cannot redefine class constant ".as_slice(), &shown].concat());
            }
            if let Some(ty) = &ty
                && ty.mask & (mask::VOID | mask::NEVER | mask::CALLABLE) != 0
            {
                return self.error(
                    [
                        b"Class constant ".as_slice(),
                        &shown,
                        b" cannot have type ",
                        &ty.display(),
                    ]
                    .concat(),
                );
            }
            self.check_constant_expression(item.value)?;
            let literal = self.const_eval(item.value)?;
            if let (Some(value), Some(ty)) = (&literal, &ty) {
                let fits = self
                    .default_for_type(value.clone(), ty, "x", b"", "")
                    .is_ok();
                if !fits {
                    return self.error(
                        [
                            b"Cannot use ".as_slice(),
                            value.type_name().as_bytes(),
                            b" as value for class constant ",
                            &shown,
                            b" of type ",
                            &ty.display(),
                        ]
                        .concat(),
                    );
                }
            }
            let mut known = None;
            let value = match literal {
                Some(value) => {
                    let value = match (&ty, value) {
                        (Some(ty), value) => self.default_for_type(value, ty, "x", b"", "")?,
                        (None, value) => value,
                    };
                    let raw = value.to_raw();
                    known = Some(value);
                    jumbo_bytecode::unit::ConstExpr::Literal(raw)
                }
                None => self.thunk_expr(item.value)?,
            };
            let attributes = self.attributes(consts.attributes, Target::ClassConstant)?;
            let deprecated = attributes
                .iter()
                .any(|a| a.name.lower.as_bytes() == b"deprecated");
            if let (false, Some(value), Some(class)) = (deprecated, known, &mut self.class) {
                class.constants.insert(item.name.to_vec(), value);
            }
            decl.constants.push(ConstantDecl {
                name: PStr::immortal(item.name),
                flags: flags
                    | if deprecated {
                        member_flags::DEPRECATED
                    } else {
                        0
                    },
                ty: ty.clone(),
                value: Some(value),
                attributes,
                doc_comment: item.doc.map(PStr::immortal),
                line: item.line,
            });
        }
        Ok(())
    }

    fn enum_case(
        &mut self,
        case: &'a EnumCase<'a>,
        decl: &mut ClassDecl,
        seen: &mut Seen,
    ) -> Result<()> {
        let line = self.f.b.line;
        if decl.flags & class_flags::ENUM == 0 {
            return self.error("Case can only be used in enums");
        }
        let shown = [self.class_prefix().as_slice(), case.name].concat();
        if case.name.eq_ignore_ascii_case(b"class") {
            return self.error("A class constant must not be called 'class'; it is reserved for class name fetching");
        }
        if !seen.constants.insert(case.name.to_vec()) {
            return self.error([b"Cannot redefine class constant ".as_slice(), &shown].concat());
        }
        let value = match case.value {
            Some(e) => {
                if decl.enum_backing == 0 {
                    let class = self.class_prefix();
                    let class = class.strip_suffix(b"::").unwrap_or(&class);
                    return self.error(
                        [
                            b"Case ".as_slice(),
                            case.name,
                            b" of non-backed enum ",
                            class,
                            b" must not have a value",
                        ]
                        .concat(),
                    );
                }
                self.check_constant_expression(e)?;
                let literal = self.const_eval(e)?;
                // A value of another type is refused when the enum is linked.
                Some(match literal {
                    Some(value) => jumbo_bytecode::unit::ConstExpr::Literal(value.to_raw()),
                    None => self.thunk_expr(e)?,
                })
            }
            None if decl.enum_backing != 0 => {
                let class = self.class_prefix();
                let class = class.strip_suffix(b"::").unwrap_or(&class);
                return self.error(
                    [
                        b"Case ".as_slice(),
                        case.name,
                        b" of backed enum ",
                        class,
                        b" must have a value",
                    ]
                    .concat(),
                );
            }
            None => None,
        };
        let attributes = self.attributes(case.attributes, Target::ClassConstant)?;
        let deprecated = attributes
            .iter()
            .any(|a| a.name.lower.as_bytes() == b"deprecated");
        decl.constants.push(ConstantDecl {
            name: PStr::immortal(case.name),
            flags: member_flags::PUBLIC
                | member_flags::ENUM_CASE
                | if deprecated {
                    member_flags::DEPRECATED
                } else {
                    0
                },
            ty: None,
            value,
            attributes,
            doc_comment: case.doc.map(PStr::immortal),
            line,
        });
        Ok(())
    }

    fn trait_use(&mut self, uses: &'a ast::TraitUse<'a>, decl: &mut ClassDecl) -> Result<()> {
        if decl.flags & class_flags::INTERFACE != 0 {
            let first = uses.traits.first().map_or(&b""[..], |t| t.bytes);
            let class = self.class_prefix();
            let class = class.strip_suffix(b"::").unwrap_or(&class);
            return self.error(
                [
                    b"Cannot use traits inside of interfaces. ".as_slice(),
                    first,
                    b" is used in ",
                    class,
                ]
                .concat(),
            );
        }
        let mut mentioned: Vec<&Name<'_>> = uses.traits.iter().collect();
        for adaptation in uses.adaptations {
            match adaptation {
                ast::TraitAdaptation::Precedence {
                    trait_name,
                    insteadof,
                    ..
                } => {
                    mentioned.push(trait_name);
                    mentioned.extend(insteadof.iter());
                }
                ast::TraitAdaptation::Alias { trait_name, .. } => {
                    mentioned.extend(trait_name.iter())
                }
            }
        }
        for name in mentioned {
            if is_reserved_class_name(name.bytes) && name.kind == ast::NameKind::Unqualified {
                return self.error(
                    [
                        b"Cannot use \"".as_slice(),
                        name.bytes,
                        b"\" as trait name, as it is reserved",
                    ]
                    .concat(),
                );
            }
        }
        for name in uses.traits {
            decl.traits.push(class_name(&self.namespace.class(name)));
        }
        for adaptation in uses.adaptations {
            decl.adaptations.push(match adaptation {
                ast::TraitAdaptation::Precedence {
                    trait_name,
                    method,
                    insteadof,
                    ..
                } => TraitAdaptation::Precedence {
                    class: class_name(&self.namespace.class(trait_name)),
                    method: PStr::immortal(method),
                    excluded: insteadof
                        .iter()
                        .map(|n| class_name(&self.namespace.class(n)))
                        .collect(),
                },
                ast::TraitAdaptation::Alias {
                    trait_name,
                    method,
                    modifiers,
                    alias,
                    ..
                } => {
                    for (bit, word) in [
                        (Modifiers::STATIC, "static"),
                        (Modifiers::ABSTRACT, "abstract"),
                        (Modifiers::READONLY, "readonly"),
                    ] {
                        if modifiers.has(bit) {
                            return self.error(format!(
                                "Cannot use \"{word}\" as method modifier in trait alias"
                            ));
                        }
                    }
                    let mut flags = 0;
                    if modifiers.has(Modifiers::VISIBILITY) {
                        flags |= visibility_flags(*modifiers);
                    }
                    if modifiers.has(Modifiers::FINAL) {
                        flags |= func_flags::FINAL;
                    }
                    TraitAdaptation::Alias {
                        class: trait_name
                            .as_ref()
                            .map(|n| class_name(&self.namespace.class(n))),
                        method: PStr::immortal(method),
                        alias: alias.map(PStr::immortal),
                        flags,
                    }
                }
            });
        }
        Ok(())
    }

    fn method(
        &mut self,
        method: &'a Function<'a>,
        class: &Class<'_>,
        decl: &mut ClassDecl,
        seen: &mut Seen,
    ) -> Result<()> {
        self.f.b.line = method.start_line;
        self.check_method(method, class)?;
        let lowered = lower(method.name);
        if !seen.methods.insert(lowered.clone()) {
            let message = [
                b"Cannot redeclare ".as_slice(),
                &self.class_prefix(),
                method.name,
                b"()",
            ]
            .concat();
            return self.error(message);
        }
        let mut flags = visibility_flags(method.modifiers);
        let modifiers = method.modifiers;
        if modifiers.has(Modifiers::STATIC) {
            flags |= func_flags::STATIC;
        }
        if modifiers.has(Modifiers::FINAL) {
            flags |= func_flags::FINAL;
        }
        if modifiers.has(Modifiers::ABSTRACT) || class.kind == ClassKind::Interface {
            flags |= func_flags::ABSTRACT;
            decl.flags |= class_flags::HAS_ABSTRACT;
        }
        if lowered == b"__construct" {
            flags |= func_flags::CONSTRUCTOR;
        }
        let number = self.reserve_function();
        let proto = self.function(
            method,
            &FunctionContext {
                number,
                name: method.name,
                short_name: method.name,
                flags,
                hook_property: None,
            },
        )?;
        if lowered == b"__construct" {
            self.promoted_properties(method, &proto, decl, seen)?;
        }
        self.f.b.line = method.start_line;
        self.check_magic_method(&proto)?;
        self.functions[number as usize] = Some(proto);
        decl.methods.push(number);
        Ok(())
    }

    fn check_method(&mut self, method: &Function<'_>, class: &Class<'_>) -> Result<()> {
        let shown = [self.class_prefix().as_slice(), method.name].concat();
        let modifiers = method.modifiers;
        let has_body = !matches!(method.body, FunctionBody::None);
        let is_private = modifiers.has(Modifiers::PRIVATE);
        if modifiers.has(Modifiers::READONLY) {
            return self.error("Cannot use 'readonly' as method modifier");
        }
        if class.kind == ClassKind::Interface {
            if modifiers.has(Modifiers::PRIVATE) || modifiers.has(Modifiers::PROTECTED) {
                return self.error(
                    [
                        b"Access type for interface method ".as_slice(),
                        &shown,
                        b"() must be public",
                    ]
                    .concat(),
                );
            }
            if modifiers.has(Modifiers::FINAL) {
                return self.error(
                    [
                        b"Interface method ".as_slice(),
                        &shown,
                        b"() must not be final",
                    ]
                    .concat(),
                );
            }
            if modifiers.has(Modifiers::ABSTRACT) {
                return self.error(
                    [
                        b"Interface method ".as_slice(),
                        &shown,
                        b"() must not be abstract",
                    ]
                    .concat(),
                );
            }
            if has_body {
                return self.error(
                    [
                        b"Interface function ".as_slice(),
                        &shown,
                        b"() cannot contain body",
                    ]
                    .concat(),
                );
            }
        } else if modifiers.has(Modifiers::ABSTRACT) {
            if is_private && class.kind != ClassKind::Trait {
                return self.error(
                    [
                        b"Abstract function ".as_slice(),
                        &shown,
                        b"() cannot be declared private",
                    ]
                    .concat(),
                );
            }
            if class.kind == ClassKind::Enum {
                return self.error(
                    [
                        b"Enum method ".as_slice(),
                        &shown,
                        b"() must not be abstract",
                    ]
                    .concat(),
                );
            }
            if has_body {
                return self.error(
                    [
                        b"Abstract function ".as_slice(),
                        &shown,
                        b"() cannot contain body",
                    ]
                    .concat(),
                );
            }
        } else if !has_body {
            return self.error(
                [
                    b"Non-abstract method ".as_slice(),
                    &shown,
                    b"() must contain body",
                ]
                .concat(),
            );
        }
        if modifiers.has(Modifiers::FINAL)
            && is_private
            && !method.name.eq_ignore_ascii_case(b"__construct")
        {
            let line = method.start_line;
            self.warn(
                2,
                b"Private methods cannot be final as they are never overridden by other classes"
                    .to_vec(),
                line,
            );
        }
        Ok(())
    }
}
