//! Functions, methods, closures: parameters, defaults, captured variables, bodies.

use crate::Result;
use crate::builder::{Dest, Label, Operand};
use crate::captures;
use crate::konst::Const;
use crate::lvalue::{Place, is_auto_global};
use crate::names::lower;
use crate::unit::{Compiler, DeclaredFunction};
use jumbo_bytecode::Op;
use jumbo_bytecode::types::{Type, mask};
use jumbo_bytecode::unit::{ClosureUse, ConstExpr, FunctionProto, Param, func_flags, member_flags};
use jumbo_syntax::ast::{self, Expr, ExprKind, Function, FunctionBody, FunctionKind, Modifiers};
use jumbo_value::PStr;

/// What the caller of [`Compiler::function`] knows of a function.
pub struct FunctionContext<'n> {
    /// Its place in the unit's table.
    pub number: u32,
    /// As PHP shows it.
    pub name: &'n [u8],
    /// `__FUNCTION__`
    pub short_name: &'n [u8],
    pub flags: u32,
    /// Name of the property, for hooks.
    pub hook_property: Option<&'n [u8]>,
}

pub fn visibility_flags(modifiers: Modifiers) -> u32 {
    if modifiers.has(Modifiers::PRIVATE) {
        func_flags::PRIVATE
    } else if modifiers.has(Modifiers::PROTECTED) {
        func_flags::PROTECTED
    } else {
        func_flags::PUBLIC
    }
}

impl<'a> Compiler<'a, '_> {
    /// A named function as a statement.
    pub fn function_statement(&mut self, function: &'a Function<'a>) -> Result<()> {
        self.f.b.line = function.start_line;
        let top = self.nesting == 0 && self.outer.is_empty();
        let name = self.namespace.prefixed(function.name);
        let lowered = lower(&name);
        if function.name.eq_ignore_ascii_case(b"__autoload") {
            return self
                .error("__autoload() is no longer supported, use spl_autoload_register() instead");
        }
        if function.name.eq_ignore_ascii_case(b"assert") {
            return self.error("Defining a custom assert() function is not allowed, as the function has special semantics");
        }
        if let Some(imported) = self.namespace.imported_function(function.name)
            && lower(imported) != lowered
        {
            return self.error(
                [
                    b"Cannot redeclare function ".as_slice(),
                    &name,
                    b"() (previously declared as local import)",
                ]
                .concat(),
            );
        }
        self.seen_functions.insert(lowered.clone());
        if top {
            if let Some(declared) = self.declared_functions.get(&lowered) {
                let place = [self.options.file, b":", declared.line.to_string().as_bytes()].concat();
                return self.error(
                    [
                        b"Cannot redeclare function ".as_slice(),
                        &name,
                        b"() (previously declared in ",
                        &place,
                        b")",
                    ]
                    .concat(),
                );
            }
            if self.options.world.builtin_function(&lowered).is_some() {
                return self
                    .error([b"Cannot redeclare function ".as_slice(), &name, b"()"].concat());
            }
            self.declared_functions.insert(lowered.clone(), DeclaredFunction { line: function.start_line, is_compiled: false });
        }
        let number = self.reserve_function();
        let line = self.f.b.line;
        let class = self.class.take();
        let proto = self.function(
            function,
            &FunctionContext {
                number,
                name: &name,
                short_name: &name,
                flags: 0,
                hook_property: None,
            },
        );
        self.class = class;
        self.functions[number as usize] = Some(proto?);
        self.f.b.line = line;
        if top {
            self.hoisted_functions.push(number);
            if let Some(declared) = self.declared_functions.get_mut(&lowered) {
                declared.is_compiled = true;
            }
        } else {
            self.f.b.emit_bc(Op::DeclareFunction, 0, number);
        }
        Ok(())
    }

    /// PHP's name of a closure: where it stands.
    fn closure_name(&self, line: u32) -> Vec<u8> {
        let line = line.to_string();
        let mut place = Vec::new();
        if self.f.name.is_empty() {
            place.extend_from_slice(self.options.file);
        } else {
            if !self.f.is_closure
                && let Some(class) = &self.class
            {
                place.extend_from_slice(&class.name);
                place.extend_from_slice(b"::");
            }
            place.extend_from_slice(&self.f.name);
            if !self.f.is_closure {
                place.extend_from_slice(b"()");
            }
        }
        [b"{closure:", place.as_slice(), b":", line.as_bytes(), b"}"].concat()
    }

    pub fn closure(&mut self, function: &'a Function<'a>, dest: Dest) -> Result<Operand> {
        let line = self.f.b.line;
        let name = self.closure_name(function.start_line);
        let mut flags = func_flags::CLOSURE;
        if function.kind == FunctionKind::Arrow {
            flags |= func_flags::ARROW;
        }
        if function.modifiers.has(Modifiers::STATIC) {
            flags |= func_flags::STATIC;
        }
        let number = self.reserve_function();
        let proto = self.function(
            function,
            &FunctionContext {
                number,
                name: &name,
                short_name: &name,
                flags,
                hook_property: None,
            },
        )?;
        let uses: Vec<(Vec<u8>, bool)> = proto
            .uses
            .iter()
            .map(|u| (u.name.as_bytes().to_vec(), u.by_ref))
            .collect();
        self.functions[number as usize] = Some(proto);
        self.f.b.line = line;
        let d = self.f.b.dest(dest);
        self.f.b.emit_bc(Op::Closure, d, number);
        self.f
            .b
            .start_live(d, jumbo_bytecode::unit::LiveKind::Value);
        for (n, (name, by_ref)) in uses.iter().enumerate() {
            let cv = self.f.b.cv(name);
            if function.kind == FunctionKind::Arrow {
                self.f.b.emit(Op::BindUseImplicit, d, cv, n as u16);
                continue;
            }
            let value = if *by_ref {
                self.make_ref(Place::Cv(cv), Dest::Any)?
            } else {
                Operand::Cv(cv)
            };
            let b = self.f.b.o(value);
            self.f.b.emit(Op::BindUse, d, b, n as u16);
        }
        // What is done with the closure has the line of its end.
        self.f.b.line = function.end_line;
        Ok(Operand::Tmp(d))
    }

    /// Compiles a function with its body.
    pub fn function(
        &mut self,
        function: &'a Function<'a>,
        context: &FunctionContext<'_>,
    ) -> Result<FunctionProto> {
        let is_closure = matches!(function.kind, FunctionKind::Closure | FunctionKind::Arrow);
        self.enter_function();
        let nesting = std::mem::replace(&mut self.nesting, 1);
        self.f.flags = context.flags;
        self.f.name = context.short_name.to_vec();
        self.f.is_closure = is_closure;
        // A closure in a hook is none itself.
        self.f.hook_property = context.hook_property.map(<[u8]>::to_vec);
        if context.hook_property.is_some() {
            self.f.hook_name = function.name.to_vec();
        }
        self.f.b.line = function.start_line;
        let mut proto = self.proto(context.name, function.start_line, function.end_line);
        let compiled = self.function_inner(function, &mut proto);
        self.nesting = nesting;
        let state = self.leave_function();
        compiled?;
        self.finish_function(context.number, state, &mut proto)?;
        Ok(proto)
    }

    fn function_inner(
        &mut self,
        function: &'a Function<'a>,
        proto: &mut FunctionProto,
    ) -> Result<()> {
        if function.returns_ref {
            self.f.flags |= func_flags::RETURNS_REF;
        }
        if function.is_generator {
            self.f.flags |= func_flags::GENERATOR;
        }
        proto.doc_comment = function.doc.map(PStr::immortal);
        let target = match function.kind {
            FunctionKind::Method | FunctionKind::Hook => crate::attributes::Target::Method,
            _ => crate::attributes::Target::Function,
        };
        proto.attributes = self.attributes(function.attributes, target)?;
        for attribute in &proto.attributes {
            match attribute.name.lower.as_bytes() {
                b"deprecated" => self.f.flags |= func_flags::DEPRECATED,
                b"override" => self.f.flags |= func_flags::OVERRIDE,
                _ => {}
            }
        }
        if let Some(ty) = function.return_type {
            let ty = self.declared_type(ty)?;
            if function.returns_ref && ty.mask & mask::VOID != 0 {
                let line = function.start_line;
                let message = [
                    self.shown_name(proto.name.as_bytes()).as_slice(),
                    b": Returning by reference from a void function is deprecated",
                ]
                .concat();
                self.warn(8192, message, line);
            }
            if function.is_generator {
                self.check_generator_type(&ty, function)?;
            }
            self.f.return_type = Some(ty);
        } else if function.kind == FunctionKind::Method && function.name.eq_ignore_ascii_case(b"__tostring") {
            // As if it were written: the method is compatible with that of Stringable.
            self.f.return_type = Some(Type::of_mask(mask::STRING));
        }
        if function.kind == FunctionKind::Hook {
            let ty = self.hook_type.take();
            if !function.name.eq_ignore_ascii_case(b"set") {
                self.f.return_type = ty;
            } else {
                self.f.return_type = Some(Type::of_mask(mask::VOID));
                if function.params.is_none() {
                    // The implicit `$value`.
                    self.f.b.cv(b"value");
                    proto.required = 1;
                    if ty.is_some() {
                        self.f.flags |= func_flags::TYPED_PARAMS;
                    }
                    proto.params.push(Param {
                        name: PStr::immortal(b"value"),
                        ty,
                        by_ref: false,
                        variadic: false,
                        default: None,
                        default_text: None,
                        promoted: None,
                        attributes: Vec::new(),
                    });
                }
            }
        }
        if let Some(params) = function.params {
            self.params(params, function, proto)?;
        }
        if function.is_generator {
            self.f.b.emit(Op::GeneratorCreate, 0, 0, 0);
        }
        self.closure_uses(function)?;
        if function.kind == FunctionKind::Arrow {
            for name in captures::captured(function) {
                let cv = self.f.b.cv(name) - jumbo_bytecode::FRAME_HEADER;
                self.f.uses.push(ClosureUse { cv, by_ref: false, name: PStr::immortal(name) });
            }
        }
        match function.body {
            FunctionBody::None => {
                // Abstract: never entered.
                let a = self.f.b.o(Operand::Lit(Const::Null));
                self.f.b.emit(Op::Return, a, 0, 0);
                return Ok(());
            }
            FunctionBody::Block(stmts) => {
                self.stmts(stmts)?;
                self.finish_gotos()?;
                self.f.b.line = function.end_line;
                self.implicit_return()?;
            }
            FunctionBody::Expr(e) => self.expression_body(e, function)?,
        }
        Ok(())
    }

    /// `=> expr`
    fn expression_body(&mut self, e: &'a Expr<'a>, function: &'a Function<'a>) -> Result<()> {
        if function.kind == FunctionKind::Hook && function.name.eq_ignore_ascii_case(b"set") {
            // `set => expr` assigns to the property.
            let value = self.expr(e, Dest::Any)?;
            let name = self.f.hook_property.clone().unwrap_or_default();
            self.f.flags |= func_flags::USES_THIS;
            self.assign_to(
                Place::Prop(Box::new(Place::This), Operand::Lit(Const::str(&name)), self.f.b.line),
                value,
                Dest::Void,
            )?;
            return self.implicit_return();
        }
        let ty = self.f.return_type.as_ref().map_or(0, |t| t.mask);
        if ty & (mask::VOID | mask::NEVER) != 0 && !function.is_generator {
            // Arrow functions of these types evaluate the expression and drop it.
            self.expr_void(e)?;
            return self.implicit_return();
        }
        self.return_(Some(e))
    }

    fn implicit_return(&mut self) -> Result<()> {
        if self.f.b.is_unreachable() {
            return Ok(());
        }
        let generator = self.f.flags & func_flags::GENERATOR != 0;
        if !generator {
            let ty = self.f.return_type.as_ref().map(|t| t.mask);
            match ty {
                Some(m) if m & mask::NEVER != 0 => {
                    self.f.b.emit(Op::VerifyNever, 0, 0, 0);
                    return Ok(());
                }
                Some(m) if m & mask::VOID == 0 => {
                    // No temporary: the message says "none returned".
                    self.verify_return(jumbo_bytecode::NONE, jumbo_bytecode::NONE);
                }
                _ => {}
            }
        }
        if !generator && self.f.flags & func_flags::RETURNS_REF != 0 {
            // There is no variable to return.
            let register = self.f.b.in_temp(Operand::Lit(Const::Null), Dest::Any);
            self.f.b.release(register);
            self.f.b.emit(Op::ReturnRef, register, 1, 0);
            return Ok(());
        }
        let a = self.f.b.o(Operand::Lit(Const::Null));
        self.f.b.emit(
            if generator {
                Op::GeneratorReturn
            } else {
                Op::Return
            },
            a,
            0,
            0,
        );
        Ok(())
    }

    fn check_generator_type(&mut self, ty: &Type, function: &Function<'_>) -> Result<()> {
        self.f.b.line = function.start_line;
        let known = ty.mask & (mask::ITERABLE | mask::OBJECT | mask::STATIC) != 0
            || ty.classes.iter().any(|c| {
                [b"generator".as_slice(), b"iterator", b"traversable"].contains(&c.lower.as_bytes())
            })
            || !ty.intersections.is_empty()
                && ty.intersections.iter().any(|group| {
                    group.iter().all(|c| {
                        [b"iterator".as_slice(), b"traversable", b"generator"]
                            .contains(&c.lower.as_bytes())
                    })
                });
        if !known {
            return self.error(
                [
                    b"Generator return type must be a supertype of Generator, ".as_slice(),
                    &ty.display(),
                    b" given",
                ]
                .concat(),
            );
        }
        Ok(())
    }

    fn params(
        &mut self,
        params: &'a [ast::Param<'a>],
        function: &'a Function<'a>,
        proto: &mut FunctionProto,
    ) -> Result<()> {
        // PHP gives everything about parameters the line of the function.
        self.f.b.line = function.start_line;
        for param in params {
            if is_auto_global(param.name) {
                return self
                    .error([b"Cannot re-assign auto-global variable ", param.name].concat());
            }
            if param.name == b"this" {
                return self.error("Cannot use $this as parameter");
            }
            if self.f.b.cvs.iter().any(|cv| cv == param.name) {
                return self.error([b"Redefinition of parameter $", param.name].concat());
            }
            self.f.b.cv(param.name);
        }
        self.f.params = params.len() as u16;
        let last_required = params
            .iter()
            .rposition(|p| p.default.is_none() && !p.variadic)
            .map_or(0, |n| n + 1);
        proto.required = last_required as u32;
        for (n, param) in params.iter().enumerate() {
            let compiled = self.param(param, n, last_required, function, proto)?;
            if compiled.by_ref {
                self.f.flags |= func_flags::BY_REF_PARAMS;
            }
            if compiled.variadic {
                self.f.flags |= func_flags::VARIADIC;
            }
            if compiled.ty.is_some() {
                self.f.flags |= func_flags::TYPED_PARAMS;
            }
            proto.params.push(compiled);
        }
        // Promotion comes behind all parameters.
        for param in params.iter().filter(|p| p.is_promoted()) {
            self.f.flags |= func_flags::USES_THIS;
            let cv = self.f.b.cv(param.name);
            let place = Place::Prop(Box::new(Place::This), Operand::Lit(Const::str(param.name)), self.f.b.line);
            if param.by_ref {
                self.assign_ref_from(place, Operand::Cv(cv), Dest::Void)?;
            } else {
                self.assign_to(place, Operand::Cv(cv), Dest::Void)?;
            }
        }
        Ok(())
    }

    fn param(
        &mut self,
        param: &'a ast::Param<'a>,
        position: usize,
        last_required: usize,
        function: &'a Function<'a>,
        proto: &FunctionProto,
    ) -> Result<Param> {
        if let Some(previous) = proto.params.last()
            && previous.variadic
        {
            return self.error("Only the last parameter can be variadic");
        }
        let cv = self.f.b.cv(param.name);
        let mut ty = match param.ty {
            Some(ty) => Some(self.declared_type(ty)?),
            None => None,
        };
        if let Some(ty) = &ty {
            if ty.mask & mask::VOID != 0 {
                return self.error("void cannot be used as a parameter type");
            }
            if ty.mask & mask::NEVER != 0 {
                return self.error("never cannot be used as a parameter type");
            }
        }
        if param.variadic && param.default.is_some() {
            return self.error("Variadic parameter cannot have a default value");
        }
        let mut promoted = None;
        if param.is_promoted() {
            promoted = Some(self.promoted_flags(param, function, ty.as_ref())?);
        }
        let mut default = None;
        let mut default_text = None;
        if let Some(e) = param.default {
            self.f.allow_new = true;
            self.check_constant_expression(e)?;
            let folded_before = self.constants_folded.get();
            let literal = self.const_eval(e)?;
            if literal.is_some() && self.constants_folded.get() != folded_before {
                default_text = Some(self.expr_text(e));
            }
            let is_null = matches!(literal, Some(Const::Null));
            if is_null && let Some(ty) = &mut ty {
                let simple_null_const = matches!(e.kind, ExprKind::Const(_));
                if ty.mask & mask::NULL == 0 && simple_null_const {
                    if promoted.is_some() {
                        let message = [
                            b"Cannot use null as default value for parameter $".as_slice(),
                            param.name,
                            b" of type ",
                            &ty.display(),
                        ]
                        .concat();
                        return self.error(message);
                    }
                    ty.mask |= mask::NULL;
                    ty.implicit_nullable = true;
                    {
                        let line = self.f.b.line;
                        let shown = self.shown_name(proto.name.as_bytes());
                        let message = [
                            shown.as_slice(), b": Implicitly marking parameter $", param.name,
                            b" as nullable is deprecated, the explicit nullable type must be used instead",
                        ]
                        .concat();
                        self.warn(8192, message, line);
                    }
                }
            }
            let literal = match (literal, &ty) {
                (Some(value), Some(ty)) => {
                    Some(self.default_for_type(value, ty, "parameter $", param.name, "")?)
                }
                (literal, _) => literal,
            };
            if position < last_required && !ty.as_ref().is_some_and(|t| t.implicit_nullable) {
                self.warn_optional_before_required(function, param, last_required, proto);
            }
            if position >= last_required {
                let mut passed = Label::default();
                let at = self.f.b.emit(Op::JmpPassed, cv, 0, 0);
                self.f.b.jump_word(at, &mut passed);
                match &literal {
                    Some(value) => {
                        let b = self.f.b.o(Operand::Lit(value.clone()));
                        self.f.b.emit(Op::Assign, cv, b, jumbo_bytecode::NONE);
                    }
                    None => {
                        let was = std::mem::replace(&mut self.f.in_constant, true);
                        let value = self.expr(e, Dest::Any);
                        self.f.in_constant = was;
                        let b = self.f.b.o(value?);
                        self.f.b.emit(Op::Assign, cv, b, jumbo_bytecode::NONE);
                        if ty.is_some() {
                            self.f.b.emit(Op::VerifyParam, cv, position as u16, 0);
                        }
                    }
                }
                self.f.b.bind(passed);
            }
            default = Some(match literal {
                Some(value) => ConstExpr::Literal(value.to_raw()),
                None => self.thunk_expr(e)?,
            });
        }
        Ok(Param {
            name: PStr::immortal(param.name),
            ty,
            by_ref: param.by_ref,
            variadic: param.variadic,
            default,
            default_text,
            promoted,
            attributes: self.attributes(param.attributes, crate::attributes::Target::Parameter)?,
        })
    }

    fn warn_optional_before_required(
        &mut self,
        function: &'a Function<'a>,
        param: &ast::Param<'_>,
        last_required: usize,
        proto: &FunctionProto,
    ) {
        let required = function
            .params
            .and_then(|p| p.get(last_required.saturating_sub(1)));
        let Some(required) = required else { return };
        let shown = self.shown_name(proto.name.as_bytes());
        let message = [
            shown.as_slice(),
            b": Optional parameter $",
            param.name,
            b" declared before required parameter $",
            required.name,
            b" is implicitly treated as a required parameter",
        ]
        .concat();
        let line = self.f.b.line;
        self.warn(8192, message, line);
    }

    /// `name()`, with the class before it in a method.
    pub fn shown_name(&self, name: &[u8]) -> Vec<u8> {
        match &self.class {
            // PHP stops at the zero byte in an anonymous class's name.
            Some(class) if !self.f.is_closure && class.name.contains(&0) => {
                let shown = jumbo_value::string::up_to_nul(&class.name);
                [shown, b"()"].concat()
            }
            Some(class) if !self.f.is_closure => {
                [class.name.as_slice(), b"::", name, b"()"].concat()
            }
            _ => [name, b"()"].concat(),
        }
    }

    fn promoted_flags(
        &mut self,
        param: &'a ast::Param<'a>,
        function: &Function<'_>,
        ty: Option<&Type>,
    ) -> Result<u32> {
        let constructor = function.kind == FunctionKind::Method
            && function.name.eq_ignore_ascii_case(b"__construct");
        if !constructor {
            return self.error("Cannot declare promoted property outside a constructor");
        }
        let is_abstract = matches!(function.body, FunctionBody::None);
        if is_abstract {
            return self.error("Cannot declare promoted property in an abstract constructor");
        }
        if param.variadic {
            return self.error("Cannot declare variadic promoted property");
        }
        let mut flags = self.member_flags(param.modifiers, true)? | member_flags::PROMOTED;
        if let Some(ty) = ty
            && ty.mask & mask::CALLABLE != 0
        {
            let message = self.property_message(
                b"Property ",
                param.name,
                &[b" cannot have type ".as_slice(), &ty.display()].concat(),
            );
            return self.error(message);
        }
        if flags & member_flags::READONLY != 0 && ty.is_none() {
            let message =
                self.property_message(b"Readonly property ", param.name, b" must have type");
            return self.error(message);
        }
        if self.class.as_ref().is_some_and(|c| c.is_readonly) {
            flags |= member_flags::READONLY;
            if ty.is_none() {
                let message =
                    self.property_message(b"Readonly property ", param.name, b" must have type");
                return self.error(message);
            }
        }
        Ok(flags)
    }

    fn closure_uses(&mut self, function: &'a Function<'a>) -> Result<()> {
        for (n, item) in function.uses.iter().enumerate() {
            self.f.b.line = item.line;
            if is_auto_global(item.name) {
                return self.error("Cannot use auto-global as lexical variable");
            }
            if item.name == b"this" {
                return self.error("Cannot use $this as lexical variable");
            }
            if function
                .params
                .unwrap_or(&[])
                .iter()
                .any(|p| p.name == item.name)
            {
                return self.error(
                    [
                        b"Cannot use lexical variable $",
                        item.name,
                        b" as a parameter name",
                    ]
                    .concat(),
                );
            }
            if function.uses[..n].iter().any(|u| u.name == item.name) {
                return self.error([b"Cannot use variable $", item.name, b" twice"].concat());
            }
            let cv = self.f.b.cv(item.name) - jumbo_bytecode::FRAME_HEADER;
            self.f.uses.push(ClosureUse {
                cv,
                by_ref: item.by_ref,
                name: PStr::immortal(item.name),
            });
        }
        Ok(())
    }
}
