//! Expressions: the dispatch, and those that are not operators, calls or places.

use crate::Result;
use crate::builder::{Dest, Label, Operand};
use crate::konst::{Const, ConstArray};
use crate::lvalue::{Fetch, Place, has_nullsafe, is_place};
use crate::names::{constant_handle, lower};
use crate::unit::Compiler;
use jumbo_bytecode::Op;
use jumbo_bytecode::op::NONE;
use jumbo_bytecode::unit::{CastKind, ClassRef, IncludeKind, LiveKind, func_flags};
use jumbo_syntax::ast::{
    self, ArrayElement, ArrayExpr, ArraySyntax, Expr, ExprKind, IdentKind, MagicConst, Name,
    NameKind, UnaryOp,
};
use std::rc::Rc;

/// Does PHP look for constants in the expression, when it looks whether it is one? (A literal is one already.)
fn is_looked_into(e: &Expr<'_>) -> bool {
    match e.kind {
        ExprKind::Unary { op, .. } => op != UnaryOp::Silence,
        ExprKind::Binary { .. } => !ast::is_literal(e),
        ExprKind::Ternary { .. }
        | ExprKind::Array(_)
        | ExprKind::MagicConst(_)
        | ExprKind::Const(_)
        | ExprKind::ClassConst(_)
        | ExprKind::ClassName(_)
        | ExprKind::New(_)
        | ExprKind::NewAnonymous(_)
        | ExprKind::Prop(_)
        | ExprKind::Index { .. } => true,
        _ => false,
    }
}

/// An array literal whose keys are all constant, and each there once.
struct Skeleton {
    /// The array, null for what is not constant.
    value: Const,
    /// Of each element: where its value stands in the array, and whether it is there already.
    places: Vec<(u32, bool)>,
}

impl<'a> Compiler<'a, '_> {
    /// Compiles an expression. With [`Dest::Reg`] the result may still be another operand: use
    /// [`expr_to`](Self::expr_to) where it must be in that temporary.
    pub fn expr(&mut self, e: &'a Expr<'a>, dest: Dest) -> Result<Operand> {
        if has_nullsafe(e) && !is_place(e) {
            return self.chain(dest, Const::Null, |c, dest| c.expr_in_chain(e, dest));
        }
        self.expr_in_chain(e, dest)
    }

    /// Compiles an expression whose value goes into temporary `register`.
    pub fn expr_to(&mut self, e: &'a Expr<'a>, register: u16) -> Result<()> {
        let value = self.expr(e, Dest::Reg(register))?;
        self.f.b.in_temp(value, Dest::Reg(register));
        Ok(())
    }

    /// Compiles an expression for its effects.
    pub fn expr_void(&mut self, e: &'a Expr<'a>) -> Result<()> {
        let value = self.expr(e, Dest::Void)?;
        self.f.b.free(value);
        Ok(())
    }

    /// As [`expr`](Self::expr), where `e` may be the inner part of an open chain of `->`.
    pub fn expr_in_chain(&mut self, e: &'a Expr<'a>, dest: Dest) -> Result<Operand> {
        let folded_line = self.f.folded_line;
        if folded_line.is_some() && !is_looked_into(e) {
            self.f.folded_line = None;
        }
        let value = stacker::maybe_grow(64 << 10, 1 << 20, || self.expr_inner(e, dest));
        self.f.folded_line = folded_line;
        let value = value?;
        if let (Some(line), Operand::Lit(_), true) = (folded_line, &value, is_looked_into(e)) {
            self.f.b.line = line;
        }
        Ok(value)
    }

    fn expr_inner(&mut self, e: &'a Expr<'a>, dest: Dest) -> Result<Operand> {
        self.f.b.line = e.line;
        match e.kind {
            ExprKind::Int(i) => Ok(Operand::Lit(Const::Int(i))),
            ExprKind::Float(f) => Ok(Operand::Lit(Const::Float(f))),
            ExprKind::String(s) => Ok(Operand::Lit(Const::str(s))),
            ExprKind::Interpolated(parts) => self.interpolated(parts, dest),
            ExprKind::ShellExec(parts) => self.shell_exec(parts, dest),
            ExprKind::MagicConst(which) => self.magic_constant(which, e.line, dest),
            ExprKind::Const(name) => self.constant(&name, dest),
            ExprKind::Array(array) => self.array(e, array, dest),
            ExprKind::Index { base: Expr { kind: ExprKind::Array(_) | ExprKind::String(_), .. }, .. }
                if let Some(value) = self.const_eval(e)? =>
            {
                Ok(Operand::Lit(value))
            }
            ExprKind::Var(_)
            | ExprKind::VarVar(_)
            | ExprKind::Index { .. }
            | ExprKind::Prop(_)
            | ExprKind::StaticProp(_) => self.place_value(e, Fetch::Read, dest),
            ExprKind::ClassConst(&ast::ClassConst { class, name }) => {
                if let Some(value) = self.const_eval(e)? {
                    return Ok(Operand::Lit(value));
                }
                let mut class = self.class_operand(&class)?;
                if class.class == ClassRef::DYNAMIC && matches!(name.kind, IdentKind::Expr(_)) {
                    // PHP looks for the class before it evaluates the name.
                    let b = self.f.b.o(class.value);
                    let pointer = self.f.b.temp();
                    self.f.b.emit(Op::FetchClass, pointer, b, 0);
                    self.f.b.start_live(pointer, LiveKind::Value);
                    class.value = Operand::Tmp(pointer);
                }
                if let IdentKind::Name(name) = name.kind
                    && name.eq_ignore_ascii_case(b"class")
                {
                    return self.error("A class constant must not be called 'class'; it is reserved for class name fetching");
                }
                let name = self.member_name(&name)?;
                Ok(self.class_member_op(Op::ClassConst, dest, class, name))
            }
            ExprKind::ClassName(class) => self.class_name_expr(class, dest),
            ExprKind::Call(&ast::Call { callee, args }) => self.call(e, &callee, &args, dest),
            ExprKind::MethodCall(&ast::MethodCall {
                object,
                name,
                args,
                nullsafe,
            }) => self.method_call(object, &name, &args, nullsafe, dest),
            ExprKind::StaticCall(&ast::StaticCall { class, name, args }) => {
                self.static_call(&class, &name, &args, dest)
            }
            ExprKind::New(&ast::New { class, args }) => self.new_object(&class, &args, dest),
            ExprKind::NewAnonymous(&ast::NewAnonymous { class, args }) => {
                self.new_anonymous(class, &args, dest)
            }
            ExprKind::Closure(function) => self.closure(function, dest),
            ExprKind::Unary {
                op: UnaryOp::Silence,
                expr,
            } => self.silence(expr, dest),
            ExprKind::Unary { op, expr } => self.unary(op, expr, dest),
            ExprKind::Binary { op, left, right } => {
                let value = self.binary(op, left, right, dest)?;
                if op == ast::BinaryOp::Concat && ast::is_literal(e) {
                    self.f.b.line = e.line;
                }
                Ok(value)
            }
            ExprKind::Cast { kind, expr } => {
                let value = self.expr(expr, Dest::Any)?;
                let kind = match kind {
                    ast::CastKind::Bool => {
                        if let Operand::Lit(value) = &value {
                            return Ok(Operand::Lit(Const::Bool(value.to_bool())));
                        }
                        return Ok(self.f.b.value_op(Op::Bool, dest, value, Operand::None));
                    }
                    ast::CastKind::Int => CastKind::Int,
                    ast::CastKind::Float => CastKind::Float,
                    ast::CastKind::String => CastKind::String,
                    ast::CastKind::Array => CastKind::Array,
                    ast::CastKind::Object => CastKind::Object,
                };
                let d = self.f.b.dest(dest);
                let b = self.f.b.o(value);
                self.f.b.emit(Op::Cast, d, b, kind as u16);
                self.f.b.start_live(d, LiveKind::Value);
                Ok(Operand::Tmp(d))
            }
            ExprKind::Assign { target, value } => self.assign(target, value, dest),
            ExprKind::AssignRef { target, value } => self.assign_ref(target, value, dest),
            ExprKind::AssignOp { op, target, value } => self.assign_op(op, target, value, dest),
            ExprKind::PreInc(target) => self.inc_dec(target, false, false, dest),
            ExprKind::PreDec(target) => self.inc_dec(target, true, false, dest),
            ExprKind::PostInc(target) => self.inc_dec(target, false, true, dest),
            ExprKind::PostDec(target) => self.inc_dec(target, true, true, dest),
            ExprKind::Ternary {
                cond,
                then,
                otherwise,
            } => self.ternary(e, cond, then, otherwise, dest),
            ExprKind::Instanceof { expr, class } => self.instance_of(expr, class, dest),
            ExprKind::Isset(list) => self.isset_list(list, dest),
            ExprKind::Empty(inner) => self.isset(inner, true, dest),
            ExprKind::Include { kind, expr } => {
                self.f.flags |= func_flags::SYMBOL_TABLE;
                let value = self.expr(expr, Dest::Any)?;
                let kind = match kind {
                    ast::IncludeKind::Include => IncludeKind::Include,
                    ast::IncludeKind::IncludeOnce => IncludeKind::IncludeOnce,
                    ast::IncludeKind::Require => IncludeKind::Require,
                    ast::IncludeKind::RequireOnce => IncludeKind::RequireOnce,
                    ast::IncludeKind::Eval => IncludeKind::Eval,
                };
                let d = self.f.b.dest(dest);
                let b = self.f.b.o(value);
                self.f.b.line = e.line;
                self.f.b.emit(Op::Include, d, b, kind as u16);
                self.f.b.start_live(d, LiveKind::Value);
                Ok(Operand::Tmp(d))
            }
            ExprKind::Print(inner) => {
                let value = self.expr(inner, Dest::Any)?;
                let a = self.f.b.o(value);
                self.f.b.emit(Op::Echo, a, 0, 0);
                Ok(Operand::Lit(Const::Int(1)))
            }
            ExprKind::Clone(inner) => {
                let value = self.expr(inner, Dest::Any)?;
                Ok(self.f.b.value_op(Op::Clone, dest, value, Operand::None))
            }
            ExprKind::Throw(inner) => {
                let before = self.f.b.snapshot();
                let value = self.expr(inner, Dest::Any)?;
                let a = self.f.b.o(value);
                self.f.b.emit(Op::Throw, a, 0, 0);
                self.f.b.restore(&before);
                // True, as in PHP: what stands behind `throw … ||` is not compiled.
                Ok(Operand::Lit(Const::Bool(true)))
            }
            ExprKind::Yield { key, value } => self.yield_(key, value, dest),
            ExprKind::YieldFrom(inner) => {
                self.mark_generator()?;
                if self.f.flags & func_flags::RETURNS_REF != 0 {
                    return self.error("Cannot use \"yield from\" inside a by-reference generator");
                }
                let value = self.expr(inner, Dest::Any)?;
                let (q, result) = self.f.b.result(dest);
                let b = self.f.b.o(value);
                self.f.b.emit(Op::YieldFrom, q, b, 0);
                self.f.b.defined(&result);
                Ok(result)
            }
            ExprKind::Match { subject, arms } => self.match_(subject, arms, dest),
        }
    }

    /// A constant by name.
    fn constant(&mut self, name: &Name<'a>, dest: Dest) -> Result<Operand> {
        if let Some(value) = self.constant_value(name) {
            return Ok(Operand::Lit(value));
        }
        let resolved = self.namespace.constant(name);
        if (resolved.name == b"__COMPILER_HALT_OFFSET__" || name.is(b"__COMPILER_HALT_OFFSET__"))
            && let Some(offset) = self.halt_offset
        {
            return Ok(Operand::Lit(Const::Int(offset as i64)));
        }
        let handle = constant_handle(&resolved.name) as u64;
        let fallback = resolved
            .fallback
            .as_ref()
            .map_or(u32::MAX, |name| constant_handle(name)) as u64;
        let d = self.f.b.dest(dest);
        // The message of the Error names it as it was looked up first.
        let b = self.f.b.literal_l(&Const::str(&resolved.name));
        self.f.b.emit(Op::Const, d, b, 0);
        self.f.b.word(handle | fallback << 32);
        self.f.b.start_live(d, LiveKind::Value);
        Ok(Operand::Tmp(d))
    }

    /// `true`, `false`, `null`, and constants that never change.
    pub fn constant_value(&self, name: &Name<'_>) -> Option<Const> {
        let resolved = self.namespace.constant(name);
        let short = match name.kind {
            NameKind::Unqualified
                if resolved.fallback.is_some() || !resolved.name.contains(&b'\\') =>
            {
                name.bytes
            }
            NameKind::FullyQualified if !name.bytes.contains(&b'\\') => name.bytes,
            _ => return None,
        };
        if short.eq_ignore_ascii_case(b"true") {
            return Some(Const::Bool(true));
        }
        if short.eq_ignore_ascii_case(b"false") {
            return Some(Const::Bool(false));
        }
        if short.eq_ignore_ascii_case(b"null") {
            return Some(Const::Null);
        }
        if resolved.fallback.is_some() {
            return None;
        }
        let value = self.options.world.constant(&resolved.name)?;
        self.constants_folded.set(self.constants_folded.get() + 1);
        Const::from_value(&value)
    }

    fn magic_constant(&mut self, which: MagicConst, line: u32, dest: Dest) -> Result<Operand> {
        if let Some(value) = self.magic_value(which, line) {
            return Ok(Operand::Lit(value));
        }
        // `__CLASS__` in a trait or a closure outside of a class: known only when it runs.
        let d = self.f.b.dest(dest);
        self.f.b.emit(Op::ClassName, d, NONE, 0);
        self.f.b.word(ClassRef::MAGIC_CLASS.0 as u64);
        self.f.b.start_live(d, LiveKind::Value);
        Ok(Operand::Tmp(d))
    }

    /// A magic constant, unless it is known only at run time.
    pub fn magic_value(&self, which: MagicConst, line: u32) -> Option<Const> {
        let class_name = self.class.as_ref().map(|c| c.name.as_slice());
        Some(match which {
            MagicConst::Line => Const::Int(line as i64),
            MagicConst::File => Const::str(self.options.file),
            MagicConst::Dir => {
                let file = self.options.file;
                match file.iter().rposition(|&b| b == b'/') {
                    Some(0) => Const::str(b"/"),
                    Some(at) => Const::str(&file[..at]),
                    None => Const::str(self.options.directory),
                }
            }
            MagicConst::Namespace => Const::str(&self.namespace.name),
            MagicConst::Class => match &self.class {
                Some(class) if class.is_trait => return None,
                Some(class) => Const::str(&class.name),
                None if self.in_closure() => return None,
                None => Const::str(b""),
            },
            MagicConst::Trait => match &self.class {
                Some(class) if class.is_trait => Const::str(&class.name),
                _ => Const::str(b""),
            },
            MagicConst::Function => Const::str(&self.f.name),
            MagicConst::Method => match class_name {
                _ if self.f.is_closure => Const::str(&self.f.name),
                Some(class) if !self.f.name.is_empty() => {
                    Const::str(&[class, b"::", &self.f.name].concat())
                }
                _ => Const::str(&self.f.name),
            },
            MagicConst::Property => Const::str(self.f.hook_property.as_deref().unwrap_or(b"")),
        })
    }

    fn class_name_expr(&mut self, class: &ast::ClassRef<'a>, dest: Dest) -> Result<Operand> {
        if let Some(name) = self.class_name_value(class)? {
            return Ok(Operand::Lit(Const::str(&name)));
        }
        let class = match class {
            ast::ClassRef::Expr(e) => {
                if matches!(
                    e.kind,
                    ExprKind::String(_)
                        | ExprKind::Int(_)
                        | ExprKind::Float(_)
                        | ExprKind::Array(_)
                ) {
                    return self.error("Illegal class name");
                }
                let value = self.expr(e, Dest::Any)?;
                if let Operand::Lit(value) = &value {
                    return self.error(format!("Cannot use \"::class\" on {}", value.type_name()));
                }
                crate::lvalue::ClassOperand {
                    class: ClassRef::DYNAMIC,
                    value,
                }
            }
            other => self.class_operand(other)?,
        };
        let d = self.f.b.dest(dest);
        let b = self.f.b.o(class.value);
        self.f.b.emit(Op::ClassName, d, b, 0);
        self.f.b.word(class.class.0 as u64);
        self.f.b.start_live(d, LiveKind::Value);
        Ok(Operand::Tmp(d))
    }

    /// `X::class` where it is known at compile time.
    pub fn class_name_value(&mut self, class: &ast::ClassRef<'a>) -> Result<Option<Vec<u8>>> {
        let ast::ClassRef::Name(name) = class else {
            return Ok(None);
        };
        if name.is(b"self") {
            self.check_class_keyword(b"self", name.line)?;
            return Ok(match &self.class {
                Some(class) if !class.is_trait && !class.is_anonymous && !self.in_closure() => {
                    Some(class.name.clone())
                }
                _ => None,
            });
        }
        if name.is(b"parent") {
            self.check_class_keyword(b"parent", name.line)?;
            return Ok(match &self.class {
                Some(class) if !self.in_closure() && !class.is_trait => class.parent_name.clone(),
                _ => None,
            });
        }
        Ok(Some(self.namespace.class(name)))
    }

    fn array(&mut self, e: &'a Expr<'a>, array: &'a ArrayExpr<'a>, dest: Dest) -> Result<Operand> {
        if let Some(value) = self.const_eval(e)? {
            return Ok(Operand::Lit(value));
        }
        if array.syntax == ArraySyntax::List {
            return self.error("Cannot use list() as standalone expression");
        }
        // PHP looks for constants in all of its elements first.
        let outer = self.f.folded_line;
        self.f.folded_line = outer.or(Some(e.line));
        let skeleton = self.array_skeleton(array)?;
        let d = self.f.b.dest(dest);
        match &skeleton {
            Some(skeleton) => {
                let like = self.f.b.literal_l(&skeleton.value);
                self.f.b.emit(Op::ArrayOf, d, like, 0);
            }
            None => {
                self.f.b.emit(Op::NewArray, d, array.elements.len().min(u16::MAX as usize) as u16, 0);
            }
        }
        self.f.b.start_live(d, LiveKind::Value);
        let filled = match &skeleton {
            Some(skeleton) => self.fill_skeleton(array, skeleton, d),
            None => self.array_elements(array, d),
        };
        self.f.folded_line = outer;
        filled?;
        Ok(Operand::Tmp(d))
    }

    fn array_elements(&mut self, array: &'a ArrayExpr<'a>, d: u16) -> Result<()> {
        for element in array.elements {
            self.check_memory()?;
            match *element {
                ArrayElement::Skipped => {
                    return self.error("Cannot use empty array elements in arrays");
                }
                ArrayElement::Spread(inner) => {
                    let value = self.expr(inner, Dest::Any)?;
                    let b = self.f.b.o(value);
                    self.f.b.emit(Op::ArraySpread, d, b, self.f.in_constant as u16);
                }
                ArrayElement::Item { key, value, by_ref } => {
                    let key = match key {
                        Some(key) => Some(self.expr(key, Dest::Any)?),
                        None => None,
                    };
                    let value = self.element_value(value, by_ref)?;
                    match key {
                        Some(key) => {
                            let b = self.f.b.o(key);
                            let c = self.f.b.o(value);
                            self.f.b.emit(Op::ArraySet, d, b, c);
                        }
                        None => {
                            let b = self.f.b.o(value);
                            self.f.b.emit(Op::ArrayPush, d, b, 0);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn element_value(&mut self, value: &'a Expr<'a>, by_ref: bool) -> Result<Operand> {
        if !by_ref {
            return self.expr(value, Dest::Any);
        }
        if !is_place(value) && !crate::lvalue::is_call(value) {
            return self.error("Cannot assign reference to non referenceable value");
        }
        self.check_writable_ref(value)?;
        // PHP takes `$this` as a value.
        if is_place(value) && !crate::lvalue::is_this(value) {
            let place = self.prepare(value, Fetch::Write)?;
            self.make_ref(place, Dest::Any)
        } else {
            self.expr(value, Dest::Any)
        }
    }

    /// The array as far as it is constant, if all of its keys are, and each is there once.
    fn array_skeleton(&mut self, array: &'a ArrayExpr<'a>) -> Result<Option<Skeleton>> {
        const ELEMENTS_MAX: usize = 1024;
        if array.elements.is_empty() || array.elements.len() > ELEMENTS_MAX {
            return Ok(None);
        }
        let mut known = ConstArray::default();
        let mut is_known = Vec::with_capacity(array.elements.len());
        for element in array.elements {
            let ArrayElement::Item { key, value, by_ref } = *element else { return Ok(None) };
            let value = if by_ref { None } else { self.const_eval(value)? };
            is_known.push(value.is_some());
            let value = value.unwrap_or(Const::Null);
            let is_new = match key {
                None => known.push(value),
                Some(key) => {
                    let Some(key) = self.const_eval(key)?.as_ref().and_then(crate::fold::key) else { return Ok(None) };
                    let is_new = known.get(&key).is_none();
                    known.set(key, value);
                    is_new
                }
            };
            if !is_new {
                return Ok(None);
            }
        }
        let value = Const::Array(Rc::new(known));
        let made = value.to_value();
        let Some(array) = made.as_array() else { return Ok(None) };
        let places = array.positions().zip(is_known).collect();
        Ok(Some(Skeleton { value, places }))
    }

    fn fill_skeleton(&mut self, array: &'a ArrayExpr<'a>, skeleton: &Skeleton, d: u16) -> Result<()> {
        for (element, &(position, is_known)) in array.elements.iter().zip(&skeleton.places) {
            let ArrayElement::Item { key, value, by_ref } = *element else { continue };
            // Constants are gone over for the lines of what follows.
            if let Some(key) = key {
                let key = self.expr(key, Dest::Any)?;
                self.f.b.free(key);
            }
            let value = self.element_value(value, by_ref)?;
            if !(is_known && matches!(value, Operand::Lit(_))) {
                let b = self.f.b.o(value);
                // An array of so few elements has no more positions than that.
                self.f.b.emit(Op::ArrayPut, d, b, position as u16);
            }
        }
        Ok(())
    }

    /// Refuses references to what has none.
    pub fn check_writable_ref(&mut self, e: &Expr<'_>) -> Result<()> {
        if is_place(e) && has_nullsafe(e) {
            self.f.b.line = e.line;
            return self.error("Cannot take reference of a nullsafe chain");
        }
        Ok(())
    }

    fn silence(&mut self, e: &'a Expr<'a>, dest: Dest) -> Result<Operand> {
        let result = if dest == Dest::Void {
            dest
        } else {
            Dest::Reg(self.f.b.dest(dest))
        };
        let level = self.f.b.temp();
        self.f.b.emit(Op::BeginSilence, level, 0, 0);
        self.f.b.start_live(level, LiveKind::Silence);
        let value = match e.kind {
            // `@$x` reads the variable inside the silence.
            ExprKind::Var(_) => {
                let place = self.prepare(e, Fetch::Read)?;
                let value = self.fetch(place, Fetch::Read)?;
                match result {
                    Dest::Reg(_) => Operand::Tmp(self.f.b.in_temp(value, result)),
                    _ => value,
                }
            }
            _ => self.expr(e, result)?,
        };
        let value = match (result, value) {
            (Dest::Reg(_), value) => Operand::Tmp(self.f.b.in_temp(value, result)),
            (_, value) => {
                self.f.b.free(value);
                Operand::None
            }
        };
        self.f.b.release(level);
        self.f.b.emit(Op::EndSilence, level, 0, 0);
        Ok(value)
    }

    fn ternary(
        &mut self,
        e: &'a Expr<'a>,
        cond: &'a Expr<'a>,
        then: Option<&'a Expr<'a>>,
        otherwise: &'a Expr<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        if let ExprKind::Ternary { then: inner, .. } = cond.kind
            && !cond.paren
            && !(inner.is_none() && then.is_none())
        {
            self.f.b.line = e.line;
            return self.error(if inner.is_some() && then.is_some() {
                "Unparenthesized `a ? b : c ? d : e` is not supported. Use either `(a ? b : c) ? d : e` or `a ? b : (c ? d : e)`"
            } else if inner.is_some() {
                "Unparenthesized `a ? b : c ?: d` is not supported. Use either `(a ? b : c) ?: d` or `a ? b : (c ?: d)`"
            } else {
                "Unparenthesized `a ?: b ? c : d` is not supported. Use either `(a ?: b) ? c : d` or `a ?: (b ? c : d)`"
            });
        }
        if let (Dest::Void, Some(then)) = (dest, then) {
            let (mut no, mut end) = (Label::default(), Label::default());
            self.condition(cond, false, &mut no)?;
            self.expr_void(then)?;
            self.f.b.jump(Op::Jmp, 0, &mut end);
            self.f.b.bind(no);
            self.expr_void(otherwise)?;
            self.f.b.bind(end);
            return Ok(Operand::None);
        }
        // Of a condition that is known PHP looks for constants in the branch that it chooses alone.
        let folded_line = self.f.folded_line;
        let chosen = match folded_line {
            Some(_) => self.const_eval(cond)?.map(|cond| cond.to_bool()),
            None => None,
        };
        let looked_into = |branch: bool| folded_line.filter(|_| chosen.is_none_or(|chosen| chosen == branch));
        let result = self.f.b.dest(dest);
        let mut end = Label::default();
        match then {
            None => {
                let value = self.expr(cond, Dest::Any)?;
                let b = self.f.b.o(value);
                let at = self.f.b.emit(Op::JmpTrueKeep, result, b, 0);
                self.f.b.jump_word(at, &mut end);
            }
            Some(then) => {
                let mut no = Label::default();
                self.condition(cond, false, &mut no)?;
                self.f.folded_line = looked_into(true);
                self.expr_to(then, result)?;
                self.f.b.jump(Op::Jmp, 0, &mut end);
                self.f.b.end_live(result);
                self.f.b.bind(no);
            }
        }
        self.f.folded_line = looked_into(false);
        self.expr_to(otherwise, result)?;
        self.f.folded_line = folded_line;
        self.f.b.bind(end);
        Ok(Operand::Tmp(result))
    }

    fn instance_of(
        &mut self,
        e: &'a Expr<'a>,
        class: &ast::ClassRef<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        let value = self.expr(e, Dest::Any)?;
        if let Operand::Lit(_) = value {
            return Ok(Operand::Lit(Const::Bool(false)));
        }
        let class = match class {
            ast::ClassRef::Expr(inner) => crate::lvalue::ClassOperand {
                class: ClassRef::DYNAMIC,
                value: self.expr(inner, Dest::Any)?,
            },
            other => self.class_operand(other)?,
        };
        let d = self.f.b.dest(dest);
        let b = self.f.b.o(value);
        let c = self.f.b.o(class.value);
        self.f.b.emit(Op::InstanceOf, d, b, c);
        self.f.b.word(class.class.0 as u64);
        self.f.b.word(0);
        self.f.b.start_live(d, LiveKind::Value);
        Ok(Operand::Tmp(d))
    }

    fn isset_list(&mut self, list: &'a [Expr<'a>], dest: Dest) -> Result<Operand> {
        let [first, rest @ ..] = list else {
            return Ok(Operand::Lit(Const::Bool(true)));
        };
        if rest.is_empty() {
            return self.isset(first, false, dest);
        }
        let result = self.f.b.dest(dest);
        let mut end = Label::default();
        for (i, e) in list.iter().enumerate() {
            if i + 1 == list.len() {
                let value = self.isset(e, false, Dest::Reg(result))?;
                self.f.b.in_temp(value, Dest::Reg(result));
                break;
            }
            let value = self.isset(e, false, Dest::Any)?;
            let b = self.f.b.o(value);
            let at = self.f.b.emit(Op::JmpZBool, result, b, 0);
            self.f.b.jump_word(at, &mut end);
        }
        self.f.b.bind(end);
        Ok(Operand::Tmp(result))
    }

    pub fn mark_generator(&mut self) -> Result<()> {
        if self.f.is_main && !self.f.is_closure || self.f.in_constant {
            return self.error("The \"yield\" expression can only be used inside a function");
        }
        self.f.flags |= func_flags::GENERATOR;
        Ok(())
    }

    fn yield_(
        &mut self,
        key: Option<&'a Expr<'a>>,
        value: Option<&'a Expr<'a>>,
        dest: Dest,
    ) -> Result<Operand> {
        self.mark_generator()?;
        let key = match key {
            Some(key) => self.expr(key, Dest::Any)?,
            None => Operand::None,
        };
        let by_ref = self.f.flags & func_flags::RETURNS_REF != 0;
        if let (true, Some(value)) = (by_ref, value)
            && is_place(value)
        {
            self.check_writable_ref(value)?;
            let place = self.prepare(value, Fetch::Write)?;
            let (q, result) = self.f.b.result(dest);
            let source = if matches!(place, Place::Cv(_)) {
                self.fetch(place, Fetch::Write)?
            } else {
                self.make_ref(place, Dest::Any)?
            };
            let b = self.f.b.o(source);
            let c = self.f.b.o(key);
            self.f.b.emit(Op::YieldRef, q, b, c);
            self.f.b.defined(&result);
            return Ok(result);
        }
        let value = match value {
            Some(value) => self.expr(value, Dest::Any)?,
            None => Operand::None,
        };
        let (q, result) = self.f.b.result(dest);
        if by_ref && !matches!(value, Operand::None) {
            let register = match value {
                Operand::Cv(register) => register,
                other => self.f.b.in_temp(other, Dest::Any),
            };
            if self.f.b.is_temp(register) {
                self.f.b.release(register);
            }
            let c = self.f.b.o(key);
            self.f.b.emit(Op::YieldRef, q, register, c);
        } else {
            let b = self.f.b.o(value);
            let c = self.f.b.o(key);
            self.f.b.emit(Op::Yield, q, b, c);
        }
        self.f.b.defined(&result);
        Ok(result)
    }

    fn shell_exec(&mut self, parts: &'a [ast::StringPart<'a>], dest: Dest) -> Result<Operand> {
        let (q, result) = self.f.b.result(dest);
        let frame = self.f.b.block(jumbo_bytecode::FRAME_HEADER as usize + 1);
        let handle = crate::names::function_handle(b"shell_exec") as u64;
        let name = self.f.b.literal_l(&Const::str(b"shell_exec"));
        self.f.b.emit(Op::InitFn, frame, name, 1);
        self.f.b.word(handle | (u32::MAX as u64) << 32);
        self.f.b.start_live(frame, LiveKind::Frame);
        let slot = frame + jumbo_bytecode::FRAME_HEADER;
        let value = self.interpolated(parts, Dest::Reg(slot))?;
        self.f.b.in_temp(value, Dest::Reg(slot));
        self.f.b.release_call(frame, 1);
        self.f.b.emit(Op::Call, frame, 1, q);
        self.f.b.defined(&result);
        Ok(result)
    }

    /// Lower-cased unqualified name of a function that PHP treats specially wherever it may be meant.
    pub fn special_name(name: &Name<'_>) -> Option<Vec<u8>> {
        (!name.bytes.contains(&b'\\') && name.kind != NameKind::Relative).then(|| lower(name.bytes))
    }
}
