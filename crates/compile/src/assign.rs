//! Assignments: plain, compound, by reference, destructuring.

use crate::Result;
use crate::builder::{Dest, Label, Operand};
use crate::konst::Const;
use crate::lvalue::{Fetch, Place, is_call, is_place, is_this};
use crate::unit::Compiler;
use jumbo_bytecode::{NONE, Op};
use jumbo_bytecode::unit::{BinaryOp, LiveKind};
use jumbo_syntax::ast::{self, ArrayElement, ArrayExpr, ArraySyntax, Expr, ExprKind};

/// The variable at the bottom of a place.
pub fn root_variable<'a>(mut e: &Expr<'a>) -> Option<&'a [u8]> {
    loop {
        match e.kind {
            ExprKind::Var(name) => return Some(name),
            ExprKind::Index { base, .. } => e = base,
            ExprKind::Prop(&ast::Prop { object, .. }) => e = object,
            _ => return None,
        }
    }
}

pub fn pattern_has_refs(pattern: &ArrayExpr<'_>) -> bool {
    pattern.elements.iter().any(|element| match element {
        ArrayElement::Item { value, by_ref, .. } => {
            *by_ref || matches!(value.kind, ExprKind::Array(inner) if pattern_has_refs(inner))
        }
        _ => false,
    })
}

/// Is the variable among the targets of a pattern?
fn assigns_to(pattern: &ArrayExpr<'_>, name: Option<&[u8]>) -> bool {
    pattern.elements.iter().any(|element| match element {
        ArrayElement::Item { value, .. } => match value.kind {
            ExprKind::Array(inner) => assigns_to(inner, name),
            _ => root_variable(value) == name && name.is_some(),
        },
        _ => false,
    })
}

fn bytecode_op(op: ast::BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        ast::BinaryOp::Add => BinaryOp::Add,
        ast::BinaryOp::Sub => BinaryOp::Sub,
        ast::BinaryOp::Mul => BinaryOp::Mul,
        ast::BinaryOp::Div => BinaryOp::Div,
        ast::BinaryOp::Mod => BinaryOp::Mod,
        ast::BinaryOp::Pow => BinaryOp::Pow,
        ast::BinaryOp::Concat => BinaryOp::Concat,
        ast::BinaryOp::BitAnd => BinaryOp::BitAnd,
        ast::BinaryOp::BitOr => BinaryOp::BitOr,
        ast::BinaryOp::BitXor => BinaryOp::BitXor,
        ast::BinaryOp::ShiftLeft => BinaryOp::Shl,
        ast::BinaryOp::ShiftRight => BinaryOp::Shr,
        _ => return None,
    })
}

/// The line where a target ends.
fn end_line(target: &Expr<'_>) -> u32 {
    match target.kind {
        ExprKind::Prop(prop) => prop.name.line,
        ExprKind::StaticProp(prop) => prop.name.line,
        ExprKind::Index { index: Some(index), .. } => index.line,
        _ => target.line,
    }
}

impl<'a> Compiler<'a, '_> {
    pub fn assign(
        &mut self,
        target: &'a Expr<'a>,
        value: &'a Expr<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        if let ExprKind::Array(pattern) = target.kind {
            return self.assign_list(target, pattern, value, dest);
        }
        if is_this(target) {
            return self.error("Cannot re-assign $this");
        }
        self.check_writable(target)?;
        let is_fresh = self.is_fresh(target);
        let place = self.prepare(target, Fetch::Write)?;
        self.check_this(&place, value);
        // `$a = $a op b` and `$a op= b` are one instruction, which does as the second one where the variable is undefined.
        let reads_target = matches!(
            (target.kind, value.kind),
            (ExprKind::Var(name), ExprKind::Binary { left, right, .. })
                if [left, right].iter().any(|e| matches!(e.kind, ExprKind::Var(read) if read == name))
        );
        if let (Place::Cv(cv), Dest::Void) = (&place, dest)
            && !(is_fresh && reads_target)
            && self.with_fresh(is_fresh, target, |c| c.binary_into_variable(*cv, value))?
        {
            return Ok(Operand::None);
        }
        let line = self.f.b.line;
        let value = self.value_for_fresh(is_fresh, &place, target, value)?;
        // What is written to has the line where it stands, wherever the value ends; behind a variable what follows has it, too.
        let end_line = std::mem::replace(&mut self.f.b.line, line);
        let is_variable = matches!(place, Place::Cv(_) | Place::Named(_) | Place::Global(_));
        let result = self.assign_to(place, value, dest)?;
        if !is_variable {
            self.f.b.line = end_line;
        }
        Ok(result)
    }

    /// May the variable be undefined, without an `unset`?
    pub(crate) fn may_be_undefined(&self, register: u16) -> bool {
        register >= jumbo_bytecode::FRAME_HEADER + self.f.params
    }

    /// Is the target a variable that nothing has named before, or in one?
    fn is_fresh(&self, target: &Expr<'_>) -> bool {
        root_variable(target).is_some_and(|name| !self.f.b.has_cv(name))
    }

    /// As [`value_for`](Self::value_for) a target that [`is_fresh`](Self::is_fresh), or is not.
    fn value_for_fresh(&mut self, is_fresh: bool, place: &Place, target: &'a Expr<'a>, value: &'a Expr<'a>) -> Result<Operand> {
        self.with_fresh(is_fresh, target, |c| c.value_for(place, target, value))
    }

    /// Compiles the value of a target that [`is_fresh`](Self::is_fresh), or is not: its variable has not been named yet.
    fn with_fresh<T>(&mut self, is_fresh: bool, target: &Expr<'_>, compile: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = self.f.b.fresh_targets.len();
        if is_fresh && let Some(cv) = root_variable(target).and_then(|name| self.f.b.known_cv(name)) {
            self.f.b.fresh_targets.push(cv);
        }
        let value = compile(self);
        self.f.b.fresh_targets.truncate(before);
        value
    }

    /// The value to be assigned: `$a[0] = $a` takes `$a` before it is separated, which an object in it is not.
    fn value_for(&mut self, place: &Place, target: &'a Expr<'a>, value: &'a Expr<'a>) -> Result<Operand> {
        let operand = self.expr(value, Dest::Any)?;
        Ok(match (place, &value.kind) {
            (Place::Dim(..), ExprKind::Var(name))
                if root_variable(target) == Some(name) && !matches!(self.variable(name), Place::This) =>
            {
                Operand::Tmp(self.f.b.in_temp(operand, Dest::Any))
            }
            _ => operand,
        })
    }

    /// Assigns a value to a prepared place.
    pub fn assign_to(&mut self, place: Place, value: Operand, dest: Dest) -> Result<Operand> {
        match place {
            Place::Cv(register) => {
                let (q, result) = self.f.b.result(dest);
                let b = self.f.b.o(value);
                self.f.b.emit(Op::Assign, register, b, q);
                self.f.b.defined(&result);
                Ok(result)
            }
            Place::Dim(base, key, _) => {
                let (q, result) = self.f.b.result(dest);
                let base = self.container(*base, Fetch::Write)?;
                let a = self.f.b.o(base);
                let b = self.f.b.o(key);
                let c = self.f.b.o(value);
                if dest == Dest::Void {
                    self.f.b.emit(Op::AssignDim, a, b, c);
                } else {
                    self.f.b.emit(Op::AssignDimRes, a, b, c);
                    self.f.b.word(q as u64);
                }
                self.f.b.defined(&result);
                Ok(result)
            }
            Place::Prop(base, name, _) => {
                let (q, result) = self.f.b.result(dest);
                let base = self.object(*base, Fetch::Write)?;
                let a = self.f.b.o(base);
                let b = self.f.b.o(name);
                let c = self.f.b.o(value);
                self.f.b.emit(Op::AssignProp, a, b, c);
                self.f.b.word(0);
                self.f.b.word(q as u64);
                self.f.b.defined(&result);
                Ok(result)
            }
            Place::This => self.error("Cannot re-assign $this"),
            place => {
                let (q, result) = self.f.b.result(dest);
                let pointer = self.fetch(place, Fetch::Write)?;
                let a = self.f.b.o(pointer);
                let b = self.f.b.o(value);
                self.f.b.emit(Op::AssignPtr, a, b, q);
                self.f.b.defined(&result);
                Ok(result)
            }
        }
    }

    /// `target op= value`.
    pub fn assign_op(
        &mut self,
        op: ast::BinaryOp,
        target: &'a Expr<'a>,
        value: &'a Expr<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        let Some(op) = bytecode_op(op) else {
            return self.assign_coalesce(target, value, dest);
        };
        self.check_writable(target)?;
        if is_this(target) {
            return self.error("Cannot re-assign $this");
        }
        let is_fresh = self.is_fresh(target);
        let place = self.prepare(target, Fetch::ReadWrite)?;
        self.check_this(&place, value);
        let line = self.f.b.line;
        let value = self.value_for_fresh(is_fresh, &place, target, value)?;
        let end_line = self.f.b.line;
        if !matches!(place, Place::Cv(_)) {
            self.f.b.line = line;
        }
        let (q, result) = self.f.b.result(dest);
        match place {
            Place::Cv(register) if op == BinaryOp::Concat => {
                let b = self.f.b.o(value);
                self.f.b.emit(Op::AssignConcat, register, b, q);
            }
            Place::Cv(register) if q == NONE && in_place(op).is_some() => {
                let b = self.f.b.o(value);
                let opcode = in_place(op).unwrap_or(Op::AddV);
                self.f.b.emit(opcode, register, register, b);
            }
            Place::Cv(register) => {
                let b = self.f.b.o(value);
                self.f.b.emit(Op::AssignOpCv, register, b, op as u16);
                self.f.b.word(q as u64);
            }
            Place::Dim(base, key, _) => {
                let base = self.container(*base, Fetch::ReadWrite)?;
                let a = self.f.b.o(base);
                let b = self.f.b.o(key);
                let c = self.f.b.o(value);
                self.f.b.emit(Op::AssignDimOp, a, b, c);
                self.f.b.word(q as u64 | (op as u64) << 16);
            }
            Place::Prop(base, name, _) => {
                let base = self.object(*base, Fetch::ReadWrite)?;
                let a = self.f.b.o(base);
                let b = self.f.b.o(name);
                let c = self.f.b.o(value);
                self.f.b.emit(Op::AssignPropOp, a, b, c);
                self.f.b.word(0);
                self.f.b.word(q as u64 | (op as u64) << 16);
            }
            place => {
                let is_static = matches!(place, Place::Static(..));
                let pointer = self.fetch(place, Fetch::ReadWrite)?;
                if !is_static {
                    // A variable by name is fetched by an instruction of its own.
                    self.f.b.line = end_line;
                }
                let a = self.f.b.o(pointer);
                let b = self.f.b.o(value);
                self.f.b.emit(Op::AssignOpPtr, a, b, op as u16);
                self.f.b.word(q as u64);
            }
        }
        self.f.b.line = end_line;
        self.f.b.defined(&result);
        Ok(result)
    }

    /// `target ??= value`: the parts of the target are evaluated once.
    fn assign_coalesce(
        &mut self,
        target: &'a Expr<'a>,
        value: &'a Expr<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        self.check_writable(target)?;
        if is_this(target) {
            return self.error("Cannot re-assign $this");
        }
        let result = match dest {
            Dest::Void => None,
            _ => Some(self.f.b.dest(dest)),
        };
        let told = self.diagnostics.len();
        let place = self.prepare(target, Fetch::Quiet)?;
        let told: Vec<_> = self.diagnostics[told..].iter().filter(|(_, text, _)| text == b"Array to string conversion").cloned().collect();
        let copy = self.duplicate(&place);
        let current = self.fetch(copy, Fetch::Quiet)?;
        let register = match current {
            Operand::Cv(register) | Operand::Tmp(register) => register,
            other => self.f.b.in_temp(other, Dest::Any),
        };
        let is_temp = !matches!(place, Place::Cv(_));
        let mut keep = Label::default();
        self.f.b.jump(Op::JmpNotNull, register, &mut keep);
        let kept = self.f.b.snapshot();
        if is_temp {
            // Null was released by the jump.
            self.f.b.release(register);
        }
        let value = self.value_for(&place, target, value)?;
        // PHP goes through the target once more, and tells again of names that are no strings.
        self.diagnostics.extend(told);
        self.f.b.line = end_line(target);
        let inner = result.map_or(Dest::Void, Dest::Reg);
        let place_copy = place.clone();
        let assigned = self.assign_to(place, value, inner)?;
        debug_assert!(matches!(assigned, Operand::None | Operand::Tmp(_)));
        let mut end = Label::default();
        self.f.b.jump(Op::Jmp, 0, &mut end);
        let after = self.f.b.snapshot();
        self.f.b.restore(&kept);
        self.f.b.bind(keep);
        let current = if is_temp {
            Operand::Tmp(register)
        } else {
            Operand::Cv(register)
        };
        match result {
            Some(result) => {
                self.f.b.in_temp(current, Dest::Reg(result));
            }
            None => self.f.b.free(current),
        }
        self.free_place(place_copy);
        self.f.b.restore(&after);
        self.f.b.bind(end);
        Ok(result.map_or(Operand::None, Operand::Tmp))
    }

    /// `target = &value`.
    pub fn assign_ref(
        &mut self,
        target: &'a Expr<'a>,
        value: &'a Expr<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        if is_this(target) {
            return self.error("Cannot re-assign $this");
        }
        if let ExprKind::Array(_) = target.kind {
            return self.error("Cannot assign reference to non referenceable value");
        }
        if (is_place(value) || is_call(value)) && crate::lvalue::has_nullsafe(value) {
            return self.error("Cannot take reference of a nullsafe chain");
        }
        self.check_writable(target)?;
        if self.is_on_value(value) {
            return self.error("Cannot use result of built-in function in write context");
        }
        let line = self.f.b.line;
        let place = self.prepare(target, Fetch::Write)?;
        if is_call(value) {
            if matches!(place, Place::Prop(..)) {
                let source = self.expr(value, Dest::Any)?;
                let source = Operand::Tmp(self.f.b.in_temp(source, Dest::Any));
                return self.assign_ref_from(place, source, dest);
            }
            let (q, result) = self.f.b.result(dest);
            let source = self.expr(value, Dest::Any)?;
            let pointer = self.fetch(place, Fetch::Write)?;
            let a = self.f.b.o(pointer);
            let b = self.f.b.o(source);
            self.f.b.emit(Op::AssignRefCall, a, b, q);
            self.f.b.defined(&result);
            return Ok(result);
        }
        if !is_place(value) {
            self.f.b.line = line;
            return self.error("Cannot assign reference to non referenceable value");
        }
        if crate::lvalue::has_nullsafe(value) {
            return self.error("Cannot take reference of a nullsafe chain");
        }
        if is_this(value) {
            // PHP takes it as a value.
            let value = self.expr(value, Dest::Any)?;
            return self.assign_to(place, value, dest);
        }
        if matches!(value.kind, ExprKind::Var(b"GLOBALS")) {
            return self.error("Cannot acquire reference to $GLOBALS");
        }
        let source = self.prepare(value, Fetch::Write)?;
        self.assign_ref_to(place, source, dest)
    }

    /// Makes two prepared places one reference.
    pub fn assign_ref_to(&mut self, place: Place, source: Place, dest: Dest) -> Result<Operand> {
        // Fetching the target may move what the source's fetch points at, so the source becomes a counted reference first.
        let source = match (&place, source) {
            (_, Place::Cv(register)) => Operand::Cv(register),
            (Place::Cv(_), source) => self.fetch(source, Fetch::Write)?,
            (_, source) => self.make_ref(source, Dest::Any)?,
        };
        self.assign_ref_from(place, source, dest)
    }

    /// Makes a place a reference to `source`: a CV, a pointer or a counted reference.
    pub fn assign_ref_from(
        &mut self,
        place: Place,
        source: Operand,
        dest: Dest,
    ) -> Result<Operand> {
        let (q, result) = self.f.b.result(dest);
        match place {
            Place::Prop(base, name, _) => {
                let base = self.object(*base, Fetch::Write)?;
                let a = self.f.b.o(base);
                let b = self.f.b.o(name);
                let c = self.f.b.o(source);
                self.f.b.emit(Op::AssignPropRef, a, b, c);
                self.f.b.word(0);
                self.f.b.word(q as u64);
            }
            place => {
                let pointer = self.fetch(place, Fetch::Write)?;
                let a = self.f.b.o(pointer);
                let b = self.f.b.o(source);
                self.f.b.emit(Op::AssignRef, a, b, q);
            }
        }
        self.f.b.defined(&result);
        Ok(result)
    }

    fn assign_list(
        &mut self,
        target: &'a Expr<'a>,
        pattern: &'a ArrayExpr<'a>,
        value: &'a Expr<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        self.f.b.line = target.line;
        if pattern_has_refs(pattern) {
            if crate::lvalue::has_nullsafe(value) {
                return self.error("Cannot take reference of a nullsafe chain");
            }
            if !is_place(value) {
                if is_call(value) {
                    // A function may return by reference.
                    let source = self.expr(value, Dest::Any)?;
                    let register = self.f.b.in_temp(source, Dest::Any);
                    self.destructure(pattern, Operand::Tmp(register), true)?;
                    return Ok(self.list_result(Operand::Tmp(register), dest));
                }
                return self.error("Cannot assign reference to non referenceable value");
            }
            let source = self.prepare(value, Fetch::Write)?;
            let container = match source {
                Place::Cv(register) if !assigns_to(pattern, root_variable(value)) => Operand::Cv(register),
                // Held as a reference, so that the targets may change what it stands in.
                source => self.make_ref(source, Dest::Any)?,
            };
            self.destructure(pattern, container.clone(), true)?;
            return Ok(self.list_result(container, dest));
        }
        // A variable is copied: the targets, and what runs when they are assigned, may change it.
        let container = self.expr(value, Dest::Any)?;
        let container = Operand::Tmp(self.f.b.in_temp(container, Dest::Any));
        self.destructure(pattern, container.clone(), false)?;
        Ok(self.list_result(container, dest))
    }

    fn list_result(&mut self, container: Operand, dest: Dest) -> Operand {
        match dest {
            Dest::Void => {
                self.f.b.free(container);
                Operand::None
            }
            _ => container,
        }
    }

    /// Assigns the elements of `container`, which stays, to the targets of a pattern.
    pub fn destructure(
        &mut self,
        pattern: &'a ArrayExpr<'a>,
        container: Operand,
        by_ref: bool,
    ) -> Result<()> {
        if pattern.syntax == ArraySyntax::Long {
            return self.error("Cannot assign to array(), use [] instead");
        }
        let mut keyed: Option<bool> = None;
        let mut any = false;
        for element in pattern.elements {
            match element {
                ArrayElement::Skipped => {
                    if keyed == Some(true) {
                        return self
                            .error("Cannot use empty array entries in keyed array assignment");
                    }
                }
                ArrayElement::Spread(e) => {
                    self.f.b.line = e.line;
                    return self.error("Spread operator is not supported in assignments");
                }
                ArrayElement::Item { key, .. } => {
                    any = true;
                    let this = key.is_some();
                    if keyed.is_some_and(|k| k != this) {
                        return self
                            .error("Cannot mix keyed and unkeyed array entries in assignments");
                    }
                    keyed = Some(this);
                }
            }
        }
        if !any {
            return self.error("Cannot use empty list");
        }
        if keyed == Some(true)
            && pattern
                .elements
                .iter()
                .any(|e| matches!(e, ArrayElement::Skipped))
        {
            return self.error("Cannot use empty array entries in keyed array assignment");
        }
        for (position, element) in pattern.elements.iter().enumerate() {
            let ArrayElement::Item {
                key,
                value,
                by_ref: element_ref,
            } = *element
            else {
                continue;
            };
            let key = match key {
                Some(key) => self.expr(key, Dest::Any)?,
                None => Operand::Lit(Const::Int(position as i64)),
            };
            self.destructure_one(value, key, &container, by_ref, element_ref, pattern.syntax)?;
        }
        Ok(())
    }

    fn destructure_one(
        &mut self,
        target: &'a Expr<'a>,
        key: Operand,
        container: &Operand,
        by_ref: bool,
        element_ref: bool,
        syntax: ArraySyntax,
    ) -> Result<()> {
        let before = self.f.b.line;
        if let ExprKind::Array(inner) = target.kind {
            if inner.syntax == ArraySyntax::Long {
                return self.error("Cannot assign to array(), use [] instead");
            }
            if inner.syntax != syntax {
                return self.error("Cannot mix [] and list()");
            }
            let inner_refs = pattern_has_refs(inner);
            if element_ref {
                return self.error("[] and list() assignments cannot be by reference");
            }
            let part = if inner_refs {
                let pointer = self.list_place(container, key);
                self.make_ref(Place::Value(pointer), Dest::Any)?
            } else {
                self.list_value(container, key)
            };
            self.destructure(inner, part.clone(), by_ref && inner_refs)?;
            self.f.b.free(part);
            return Ok(());
        }
        if is_this(target) {
            self.f.b.line = target.line;
            return self.error("Cannot re-assign $this");
        }
        if !is_place(target) && !is_call(target) {
            self.f.b.line = target.line;
            return self.error("Assignments can only happen to writable values");
        }
        if crate::lvalue::has_nullsafe(target) {
            return self.error("Assignments can only happen to writable values");
        }
        self.check_writable(target)?;
        if element_ref {
            let place = self.prepare(target, Fetch::Write)?;
            let pointer = self.list_place(container, key);
            self.assign_ref_to(place, Place::Value(pointer), Dest::Void)?;
        } else {
            // The element is fetched before anything of its target is evaluated, on the line where the value, or the target before, ended.
            self.f.b.line = before;
            let value = self.list_value(container, key);
            let place = self.prepare(target, Fetch::Write)?;
            let is_variable = matches!(place, Place::Cv(_));
            if is_variable {
                self.f.b.line = target.line;
            }
            self.assign_to(place, value, Dest::Void)?;
            if !is_variable {
                self.f.b.line = before;
            }
        }
        Ok(())
    }

    /// One element of a destructured array.
    fn list_value(&mut self, container: &Operand, key: Operand) -> Operand {
        let d = self.f.b.temp();
        let b = match container {
            Operand::Cv(register) | Operand::Tmp(register) => *register,
            other => self.f.b.in_temp(other.clone(), Dest::Any),
        };
        let c = self.f.b.o(key);
        self.f.b.emit(Op::ListDim, d, b, c);
        self.f.b.start_live(d, LiveKind::Value);
        Operand::Tmp(d)
    }

    /// One element of an array destructured by reference, as a pointer. A temporary container is kept: it holds a reference.
    fn list_place(&mut self, container: &Operand, key: Operand) -> Operand {
        if let Operand::Tmp(register) = container {
            // What a function returned may be a value, of which nothing can be referenced.
            self.f.b.emit(Op::CheckListRef, *register, 0, 0);
        }
        let base = self.f.b.duplicate(container);
        self.f.b.value_op(Op::DimW, Dest::Any, base, key)
    }

    /// `++`, `--`.
    pub fn inc_dec(
        &mut self,
        target: &'a Expr<'a>,
        decrement: bool,
        post: bool,
        dest: Dest,
    ) -> Result<Operand> {
        self.check_writable(target)?;
        if is_this(target) {
            // Not refused here: an object cannot be incremented, which is found when the code runs.
            let value = self.expr(target, Dest::Any)?;
            let pointer = self.f.b.in_temp(value, Dest::Any);
            let (q, result) = self.f.b.result(dest);
            self.f.b.release(pointer);
            self.f.b.emit(Op::IncPtr, q, pointer, 0);
            self.f
                .b
                .word((decrement as u16 | (post as u16) << 1) as u64);
            self.f.b.defined(&result);
            return Ok(result);
        }
        let place = self.prepare(target, Fetch::ReadWrite)?;
        let kind = decrement as u16 | (post as u16) << 1;
        match place {
            Place::Cv(register) => {
                if dest == Dest::Void {
                    self.f.b.emit(Op::IncCv, register, decrement as u16, 0);
                    return Ok(Operand::None);
                }
                let d = self.f.b.dest(dest);
                self.f.b.emit(
                    if post { Op::PostIncCv } else { Op::PreIncCv },
                    d,
                    register,
                    decrement as u16,
                );
                self.f.b.start_live(d, LiveKind::Value);
                Ok(Operand::Tmp(d))
            }
            Place::Prop(base, name, _) => {
                let (q, result) = self.f.b.result(dest);
                let base = self.object(*base, Fetch::ReadWrite)?;
                let b = self.f.b.o(base);
                let c = self.f.b.o(name);
                self.f.b.emit(Op::IncProp, q, b, c);
                self.f.b.word(0);
                self.f.b.word(kind as u64);
                self.f.b.defined(&result);
                Ok(result)
            }
            place => {
                let (q, result) = self.f.b.result(dest);
                let pointer = self.fetch(place, Fetch::ReadWrite)?;
                let b = self.f.b.o(pointer);
                self.f.b.emit(Op::IncPtr, q, b, 0);
                self.f.b.word(kind as u64);
                self.f.b.defined(&result);
                Ok(result)
            }
        }
    }
}

/// The instruction that stores `$x op y` into `$x`: a compound assignment whose result nobody wants.
fn in_place(op: BinaryOp) -> Option<Op> {
    Some(match op {
        BinaryOp::Sub => Op::SubV,
        BinaryOp::Mul => Op::MulV,
        BinaryOp::Add => Op::AddV,
        BinaryOp::Div => Op::DivV,
        BinaryOp::Mod => Op::ModV,
        BinaryOp::BitAnd => Op::BitAndV,
        BinaryOp::BitOr => Op::BitOrV,
        BinaryOp::BitXor => Op::BitXorV,
        BinaryOp::Shl => Op::ShlV,
        BinaryOp::Shr => Op::ShrV,
        _ => return None,
    })
}
