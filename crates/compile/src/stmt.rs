//! Statements, except loops, `switch` and `try`.

use crate::Result;
use crate::builder::{Dest, Label, Operand};
use crate::konst::Const;
use crate::lvalue::{Fetch, Place, is_auto_global, is_place, is_this};
use crate::names::Namespace;
use crate::unit::Compiler;
use jumbo_bytecode::{NONE, Op};
use jumbo_bytecode::unit::{StaticVar, func_flags};
use jumbo_syntax::ast::{ConstItem, Directive, Expr, ExprKind, IfBranch, Stmt, StmtKind};
use jumbo_value::{PStr, Raw};

impl<'a> Compiler<'a, '_> {
    /// What may stand before and outside of namespaces, for statement `n` of a file.
    fn check_namespaces(&mut self, stmts: &'a [Stmt<'a>], n: usize) -> Result<()> {
        if let Some(stmt) = stmts.get(n) {
            match stmt.kind {
                StmtKind::Namespace { name, body } => {
                    self.f.b.line = stmt.line;
                    let bracketed = body.is_some();
                    if self
                        .has_bracketed_namespaces
                        .is_some_and(|b| b != bracketed)
                    {
                        return self.error(
                            "Cannot mix bracketed namespace declarations with unbracketed namespace declarations",
                        );
                    }
                    let first = self.has_bracketed_namespaces.is_none();
                    self.has_bracketed_namespaces = Some(bracketed);
                    if let Some(name) = name
                        && name.bytes.eq_ignore_ascii_case(b"namespace")
                    {
                        return self
                            .error([b"Cannot use '", name.bytes, b"' as namespace name"].concat());
                    }
                    let before_ok = stmts[..n].iter().all(|s| {
                        matches!(s.kind, StmtKind::Declare { .. } | StmtKind::Nop | StmtKind::HaltCompiler { .. })
                            || n == 1 && matches!(s.kind, StmtKind::InlineHtml(text) if text.starts_with(b"#!"))
                    });
                    if first && !before_ok {
                        return self.error(
                            "Namespace declaration statement has to be the very first statement or after any declare call in the script",
                        );
                    }
                }
                _ if self.has_bracketed_namespaces == Some(true) => {
                    let harmless = matches!(
                        stmt.kind,
                        StmtKind::Nop | StmtKind::Declare { .. } | StmtKind::HaltCompiler { .. }
                    ) || matches!(stmt.kind, StmtKind::InlineHtml(text) if text.iter().all(|b| b.is_ascii_whitespace()));
                    if !harmless {
                        self.f.b.line = stmt.line;
                        return self.error("No code may exist outside of namespace {}");
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Statements at the top of a file: declarations among them are unconditional.
    pub fn top_level(&mut self, stmts: &'a [Stmt<'a>]) -> Result<()> {
        for (n, stmt) in stmts.iter().enumerate() {
            if let StmtKind::Declare { directives, .. } = stmt.kind
                && directives
                    .iter()
                    .any(|d| d.name.eq_ignore_ascii_case(b"strict_types"))
            {
                let first = stmts[..n].iter().all(|s| {
                    matches!(s.kind, StmtKind::Declare { .. } | StmtKind::Nop)
                        || matches!(s.kind, StmtKind::InlineHtml(text) if n == 1 && text.starts_with(b"#!"))
                });
                if !first {
                    self.f.b.line = stmt.line;
                    return self.error(
                        "strict_types declaration must be the very first statement in the script",
                    );
                }
            }
            self.check_namespaces(stmts, n)?;
            self.stmt(stmt)?;
        }
        Ok(())
    }

    pub fn stmts(&mut self, stmts: &'a [Stmt<'a>]) -> Result<()> {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    /// Statements that run conditionally: declarations in them are not hoisted.
    pub fn nested(&mut self, stmts: &'a [Stmt<'a>]) -> Result<()> {
        self.nesting += 1;
        let result = self.stmts(stmts);
        self.nesting -= 1;
        result
    }

    pub fn stmt(&mut self, stmt: &'a Stmt<'a>) -> Result<()> {
        self.check_memory()?;
        stacker::maybe_grow(64 << 10, 1 << 20, || self.stmt_inner(stmt))?;
        // One tick is enough where one statement ends another.
        if self.ticks != 0
            && !self.f.b.ends_with(Op::Ticks)
            && !matches!(
                stmt.kind,
                StmtKind::Label(_)
                    | StmtKind::Function(_)
                    | StmtKind::Class(_)
                    | StmtKind::Use(_)
                    | StmtKind::Nop
            )
        {
            self.f.b.emit(Op::Ticks, self.ticks, 0, 0);
        }
        Ok(())
    }

    fn stmt_inner(&mut self, stmt: &'a Stmt<'a>) -> Result<()> {
        self.f.b.line = stmt.line;
        match stmt.kind {
            StmtKind::Nop => {}
            StmtKind::Block(stmts) => self.stmts(stmts)?,
            StmtKind::Expr(e) => self.expr_void(e)?,
            StmtKind::Echo(list) => {
                for e in list {
                    let value = self.expr(e, Dest::Any)?;
                    let a = self.f.b.o(value);
                    self.f.b.emit(Op::Echo, a, 0, 0);
                }
            }
            StmtKind::InlineHtml(text) => {
                // A `#!` line is removed by whoever runs the file, not here.
                let a = self.f.b.o(Operand::Lit(Const::str(text)));
                self.f.b.emit(Op::Echo, a, 0, 0);
            }
            StmtKind::If {
                branches,
                otherwise,
            } => self.if_(branches, otherwise)?,
            StmtKind::While { cond, body } => self.while_(cond, body)?,
            StmtKind::DoWhile { body, cond } => self.do_while(body, cond)?,
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => self.for_(init, cond, step, body)?,
            StmtKind::Foreach(foreach) => self.foreach(foreach)?,
            StmtKind::Switch { subject, cases } => self.switch(subject, cases)?,
            StmtKind::Break(depth) => self.break_(depth, false)?,
            StmtKind::Continue(depth) => self.break_(depth, true)?,
            StmtKind::Return(value) => self.return_(value)?,
            StmtKind::Global(list) => {
                for e in list {
                    self.global(e)?;
                }
            }
            StmtKind::StaticVars(list) => {
                for var in list {
                    self.f.b.line = var.line;
                    self.static_var(var.name, var.default)?;
                }
            }
            StmtKind::Unset(list) => {
                for e in list {
                    self.unset(e)?;
                }
            }
            StmtKind::Try(try_) => self.try_(try_)?,
            StmtKind::Declare { directives, body } => self.declare(directives, body)?,
            StmtKind::Namespace { name, body } => {
                if self.has_bracketed_namespaces == Some(true) && body.is_none() {
                    return self.error(
                        "Cannot mix bracketed namespace declarations with unbracketed namespace declarations",
                    );
                }
                if self.nesting > 0 || !self.outer.is_empty() || self.in_namespace_block {
                    return self.error("Namespace declarations cannot be nested");
                }
                self.seen_functions.clear();
                self.seen_classes.clear();
                self.namespace = Namespace::new(name.map_or_else(Vec::new, |n| n.bytes.to_vec()));
                if let Some(body) = body {
                    self.in_namespace_block = true;
                    self.stmts(body)?;
                    self.in_namespace_block = false;
                    self.namespace = Namespace::default();
                }
            }
            StmtKind::Use(items) => {
                for item in items {
                    self.use_item(item)?;
                }
            }
            StmtKind::Const(items) => {
                for item in items {
                    self.const_statement(item)?;
                }
            }
            StmtKind::Function(function) => self.function_statement(function)?,
            StmtKind::Class(class) => self.class_statement(class)?,
            StmtKind::Goto(label) => self.goto_(label)?,
            StmtKind::Label(label) => self.label(label)?,
            StmtKind::HaltCompiler { offset } => {
                if self.nesting > 0 || !self.outer.is_empty() {
                    return self
                        .error("__HALT_COMPILER() can only be used from the outermost scope");
                }
                self.halt_offset = Some(offset as u64);
                let a = self.f.b.o(Operand::Lit(Const::Int(1)));
                self.f.b.emit(Op::Return, a, 0, 0);
            }
        }
        Ok(())
    }

    fn if_(
        &mut self,
        branches: &'a [IfBranch<'a>],
        otherwise: Option<&'a [Stmt<'a>]>,
    ) -> Result<()> {
        let mut end = Label::default();
        for (n, branch) in branches.iter().enumerate() {
            self.f.b.line = branch.line;
            if self.conditional_break(branch.cond, branch.body)? {
                continue;
            }
            let mut next = Label::default();
            self.condition(branch.cond, false, &mut next)?;
            self.nested(branch.body)?;
            if n + 1 < branches.len() || otherwise.is_some() {
                self.f.b.jump(Op::Jmp, 0, &mut end);
            }
            self.f.b.bind(next);
        }
        if let Some(body) = otherwise {
            self.nested(body)?;
        }
        self.f.b.bind(end);
        Ok(())
    }

    pub fn return_(&mut self, value: Option<&'a Expr<'a>>) -> Result<()> {
        use jumbo_bytecode::types::mask;
        let before = self.f.b.snapshot();
        let generator = self.f.flags & func_flags::GENERATOR != 0;
        let by_ref = self.f.flags & func_flags::RETURNS_REF != 0 && !generator;
        let return_mask = if generator {
            0
        } else {
            self.f.return_type.as_ref().map_or(0, |t| t.mask)
        };
        if return_mask & mask::VOID != 0 && value.is_some() {
            let null = matches!(value.map(|v| &v.kind), Some(ExprKind::Const(n)) if n.is(b"null"));
            let kind = self.function_word();
            return self.error(if null {
                format!("A void {kind} must not return a value (did you mean \"return;\" instead of \"return null;\"?)")
            } else {
                format!("A void {kind} must not return a value")
            });
        }
        if return_mask & mask::NEVER != 0 {
            let kind = self.function_word();
            return self.error(format!("A never-returning {kind} must not return"));
        }
        let checked = self.f.return_type.is_some() && !generator && return_mask & mask::VOID == 0;
        if checked && value.is_none() {
            let nullable = self.f.return_type.as_ref().is_some_and(|t| t.allows_null());
            let kind = self.function_word();
            return self.error(if nullable {
                format!("A {kind} with return type must return a value (did you mean \"return null;\" instead of \"return;\"?)")
            } else {
                format!("A {kind} with return type must return a value")
            });
        }
        if by_ref {
            match value {
                Some(value) => return self.return_by_ref(value, checked),
                None if !generator => {
                    let null = Operand::Tmp(self.f.b.in_temp(Operand::Lit(Const::Null), Dest::Any));
                    self.leave_and_return(Op::ReturnRef, null, 1, false)?;
                    self.f.b.restore(&before);
                    return Ok(());
                }
                None => {}
            }
        }
        let mut result = match value {
            Some(e) => self.expr(e, Dest::Any)?,
            None => Operand::Lit(Const::Null),
        };
        if checked && !self.literal_fits(&result) {
            // A variable that nobody has set is read by the check of its type, and again when it is returned.
            let variable = match result {
                Operand::Cv(cv) if self.may_be_undefined(cv) && return_mask & mask::MIXED != mask::MIXED => cv,
                _ => NONE,
            };
            let register = self.f.b.in_temp(result, Dest::Any);
            self.verify_return(register, variable);
            result = Operand::Tmp(register);
        }
        let op = if generator {
            Op::GeneratorReturn
        } else {
            Op::Return
        };
        self.leave_and_return(op, result, 0, false)?;
        self.f.b.restore(&before);
        Ok(())
    }

    /// Checks what is returned in `register` (NONE: nothing is) against the return type; `variable`: it was moved from one that may be
    /// undefined.
    pub fn verify_return(&mut self, register: u16, variable: u16) {
        use jumbo_bytecode::types::mask;
        let mut kinds = self.f.return_type.as_ref().map_or(0, |ty| ty.mask & mask::MIXED);
        if variable != NONE {
            kinds &= !mask::NULL;
        }
        self.f.b.emit(Op::VerifyReturn, register, kinds as u16, variable);
        self.f.flags |= func_flags::TYPED_RETURN;
    }

    /// A literal that the return type takes as it is needs no check when the function runs.
    fn literal_fits(&self, value: &Operand) -> bool {
        use jumbo_bytecode::types::mask;
        let (Operand::Lit(value), Some(ty)) = (value, &self.f.return_type) else {
            return false;
        };
        let bit = match value {
            Const::Null => mask::NULL,
            Const::Bool(false) => mask::FALSE,
            Const::Bool(true) => mask::TRUE,
            Const::Int(_) => mask::INT,
            Const::Float(_) => mask::FLOAT,
            Const::Str(_) => mask::STRING,
            Const::Array(_) => mask::ARRAY,
        };
        ty.mask & bit != 0
    }

    /// What messages call the code at hand.
    fn function_word(&self) -> &'static str {
        if self.class.is_some() {
            "method"
        } else {
            "function"
        }
    }

    fn return_by_ref(&mut self, value: &'a Expr<'a>, checked: bool) -> Result<()> {
        use jumbo_bytecode::types::mask;
        let before = self.f.b.snapshot();
        self.check_writable_ref(value)?;
        let place = is_place(value) && !is_this(value);
        let (source, plain) = if place {
            let place = self.prepare(value, Fetch::Write)?;
            let simple = matches!(place, Place::Cv(_)) && self.f.scopes.is_empty() && !checked;
            let is_mixed = || self.f.return_type.as_ref().is_some_and(|t| t.mask & mask::MIXED == mask::MIXED);
            if let (&Place::Cv(register), true) = (&place, checked && !is_mixed()) {
                // The check of its type reads it.
                self.warn_undefined(&Operand::Cv(register), Fetch::Read);
            }
            let source = if simple {
                self.fetch(place, Fetch::Write)?
            } else {
                self.make_ref(place, Dest::Any)?
            };
            (source, 0)
        } else {
            let call = crate::lvalue::is_call(value);
            let value = self.expr(value, Dest::Any)?;
            let register = self.f.b.in_temp(value, Dest::Any);
            // The result of a call may be a reference itself.
            (Operand::Tmp(register), if call { 2 } else { 1 })
        };
        self.leave_and_return(Op::ReturnRef, source, plain, checked)?;
        self.f.b.restore(&before);
        Ok(())
    }

    fn global(&mut self, e: &'a Expr<'a>) -> Result<()> {
        self.f.b.line = e.line;
        let name = match e.kind {
            ExprKind::Var(name) => name,
            ExprKind::VarVar(inner) => {
                self.f.flags |= func_flags::SYMBOL_TABLE;
                let name = self.expr(inner, Dest::Any)?;
                let copy = match &name {
                    Operand::Cv(_) => Operand::Tmp(self.f.b.in_temp(name.clone(), Dest::Any)),
                    other => self.f.b.duplicate(other),
                };
                self.assign_ref_to(Place::Named(copy), Place::Global(name), Dest::Void)?;
                return Ok(());
            }
            _ => return self.error("Cannot use this expression as global variable"),
        };
        if is_auto_global(name) {
            return self.error("Cannot use auto-global as global variable");
        }
        if name == b"this" {
            return self.error("Cannot use $this as global variable");
        }
        let cv = self.f.b.cv(name);
        let b = self.f.b.literal_l(&Const::str(name));
        self.f.b.emit(Op::BindGlobal, cv, b, 0);
        self.f.b.word(0);
        Ok(())
    }

    fn static_var(&mut self, name: &'a [u8], default: Option<&'a Expr<'a>>) -> Result<()> {
        if name == b"this" {
            return self.error("Cannot use $this as static variable");
        }
        let captured = self.f.uses.iter().any(|u| u.name.as_bytes() == name);
        if !self.f.static_names.insert(name.to_vec()) || captured {
            return self.error([b"Duplicate declaration of static variable $", name].concat());
        }
        let number = self.f.statics.len();
        if number > u16::MAX as usize {
            return self.error("Too many static variables");
        }
        let literal = match default {
            Some(e) => {
                self.f.in_static = true;
                let value = self.const_eval(e);
                self.f.in_static = false;
                value?
            }
            None => Some(Const::Null),
        };
        let initial = literal.as_ref().map_or(Raw::UNDEF, Const::to_raw);
        self.f.statics.push(StaticVar {
            name: PStr::immortal(name),
            initial,
        });
        let cv = self.f.b.cv(name);
        let mut bound = Label::default();
        let at = self.f.b.emit(Op::BindStatic, cv, number as u16, 0);
        self.f.b.jump_word(at, &mut bound);
        if let (None, Some(e)) = (literal, default) {
            let value = self.expr(e, Dest::Any)?;
            let c = self.f.b.o(value);
            self.f.b.emit(Op::InitStatic, cv, number as u16, c);
        }
        self.f.b.bind(bound);
        Ok(())
    }

    fn declare(
        &mut self,
        directives: &'a [Directive<'a>],
        body: Option<&'a [Stmt<'a>]>,
    ) -> Result<()> {
        let ticks_before = self.ticks;
        for directive in directives {
            self.f.b.line = directive.line;
            let value = self.const_eval(directive.value)?;
            if directive.name.eq_ignore_ascii_case(b"ticks") {
                let Some(value) = value else {
                    return self.error("declare(ticks) value must be a literal");
                };
                self.ticks = match value {
                    Const::Int(n) => u16::try_from(n.max(0)).unwrap_or(u16::MAX),
                    value => u16::from(value.to_bool()),
                };
            } else if directive.name.eq_ignore_ascii_case(b"strict_types") {
                if self.nesting > 0 || !self.outer.is_empty() {
                    return self.error(
                        "strict_types declaration must be the very first statement in the script",
                    );
                }
                if body.is_some() {
                    return self.error("strict_types declaration must not use block mode");
                }
                match value {
                    Some(Const::Int(n @ (0 | 1))) => self.strict_types = n == 1,
                    Some(_) => {
                        return self
                            .error("strict_types declaration must have 0 or 1 as its value");
                    }
                    None => return self.error("declare(strict_types) value must be a literal"),
                }
            } else if directive.name.eq_ignore_ascii_case(b"encoding") {
                let literal = matches!(directive.value.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_));
                let Some(value) = value.filter(|_| literal) else {
                    return self.error("Encoding must be a literal");
                };
                let line = directive.line;
                if !self.options.multibyte {
                    self.warn(2, b"declare(encoding=...) ignored because Zend multibyte feature is turned off by settings".to_vec(), line);
                } else if !matches!(value, Const::Str(_)) {
                    let shown = match value {
                        Const::Int(i) => i.to_string().into_bytes(),
                        Const::Float(f) => jumbo_value::number::float_to_string(f, 14),
                        _ => Vec::new(),
                    };
                    self.warn(2, [b"Unsupported encoding [".as_slice(), &shown, b"]"].concat(), line);
                }
                if self.nesting > 0 || !self.outer.is_empty() || self.f.b.here() > 0 {
                    return self.error("Encoding declaration pragma must be the very first statement in the script");
                }
            } else {
                let message = [b"Unsupported declare '", directive.name, b"'"].concat();
                let line = directive.line;
                self.warn(2, message, line);
            }
        }
        if let Some(body) = body {
            self.nested(body)?;
            self.ticks = ticks_before;
        }
        Ok(())
    }

    fn const_statement(&mut self, item: &'a ConstItem<'a>) -> Result<()> {
        self.f.b.line = item.line;
        let name = self.namespace.prefixed(item.name);
        if [b"true".as_slice(), b"false", b"null"]
            .iter()
            .any(|special| item.name.eq_ignore_ascii_case(special))
        {
            return self.error([b"Cannot redeclare constant '", item.name, b"'"].concat());
        }
        if item.name == b"__COMPILER_HALT_OFFSET__" {
            return self.error("Cannot redeclare constant '__COMPILER_HALT_OFFSET__'");
        }
        if let Some(imported) = self.namespace.imported_constant(item.name)
            && imported != name.as_slice()
        {
            return self.error(
                [
                    b"Cannot declare const ".as_slice(),
                    &name,
                    b" because the name is already in use",
                ]
                .concat(),
            );
        }
        self.f.allow_new = true;
        self.check_constant_expression(item.value)?;
        self.declared_constants.insert(name.clone());
        let was = std::mem::replace(&mut self.f.in_constant, true);
        let value = self.expr(item.value, Dest::Any);
        self.f.in_constant = was;
        let value = value?;
        let a = self.f.b.literal_l(&Const::str(&name));
        let b = self.f.b.o(value);
        self.f.b.emit(Op::DeclareConst, a, b, 0);
        Ok(())
    }
}
