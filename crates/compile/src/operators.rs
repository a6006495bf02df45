//! Operators, conditions and string interpolation.

use crate::Result;
use crate::builder::{Dest, Label, Operand};
use crate::konst::Const;
use crate::lvalue::{Fetch, is_place};
use crate::unit::Compiler;
use jumbo_bytecode::Op;
use jumbo_bytecode::unit::LiveKind;
use jumbo_syntax::ast::{BinaryOp, Expr, ExprKind, StringPart, UnaryOp};

/// Reading it has no effect on what stands left of it.
fn is_simple(e: &Expr<'_>) -> bool {
    matches!(
        e.kind,
        ExprKind::Var(_)
            | ExprKind::String(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Const(_)
    )
}

/// Evaluating it does nothing.
fn is_literal(e: &Expr<'_>) -> bool {
    matches!(e.kind, ExprKind::String(_) | ExprKind::Int(_) | ExprKind::Float(_))
}

/// Its result is a string (or a number, which becomes one without anybody seeing it).
fn is_string(e: &Expr<'_>) -> bool {
    match e.kind {
        ExprKind::Binary { op: BinaryOp::Concat, .. } | ExprKind::Interpolated(_) => true,
        _ => is_literal(e),
    }
}

/// The opcode of an operator without a jump; true: its operands are swapped.
fn opcode(op: BinaryOp) -> Option<(Op, bool)> {
    Some(match op {
        BinaryOp::Add => (Op::Add, false),
        BinaryOp::Sub => (Op::Sub, false),
        BinaryOp::Mul => (Op::Mul, false),
        BinaryOp::Div => (Op::Div, false),
        BinaryOp::Mod => (Op::Mod, false),
        BinaryOp::Pow => (Op::Pow, false),
        BinaryOp::Concat => (Op::Concat, false),
        BinaryOp::BitOr => (Op::BitOr, false),
        BinaryOp::BitAnd => (Op::BitAnd, false),
        BinaryOp::BitXor => (Op::BitXor, false),
        BinaryOp::ShiftLeft => (Op::Shl, false),
        BinaryOp::ShiftRight => (Op::Shr, false),
        BinaryOp::Xor => (Op::BoolXor, false),
        BinaryOp::Equal => (Op::Equal, false),
        BinaryOp::NotEqual => (Op::NotEqual, false),
        BinaryOp::Identical => (Op::Identical, false),
        BinaryOp::NotIdentical => (Op::NotIdentical, false),
        BinaryOp::Less => (Op::Less, false),
        BinaryOp::LessEqual => (Op::LessEqual, false),
        BinaryOp::Greater => (Op::Less, true),
        BinaryOp::GreaterEqual => (Op::LessEqual, true),
        BinaryOp::Spaceship => (Op::Spaceship, false),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Coalesce => return None,
    })
}

/// The compare-and-jump form of a comparison that jumps when its truth is `when`; true: operands swapped.
fn fused(op: BinaryOp, when: bool) -> Option<(Op, bool)> {
    let pick = |yes: Op, no: Op| if when { yes } else { no };
    Some(match op {
        BinaryOp::Less => (pick(Op::JmpLess, Op::JmpNotLess), false),
        BinaryOp::LessEqual => (pick(Op::JmpLessEqual, Op::JmpNotLessEqual), false),
        BinaryOp::Greater => (pick(Op::JmpLess, Op::JmpNotLess), true),
        BinaryOp::GreaterEqual => (pick(Op::JmpLessEqual, Op::JmpNotLessEqual), true),
        BinaryOp::Equal => (pick(Op::JmpEqual, Op::JmpNotEqual), false),
        BinaryOp::NotEqual => (pick(Op::JmpNotEqual, Op::JmpEqual), false),
        BinaryOp::Identical => (pick(Op::JmpIdentical, Op::JmpNotIdentical), false),
        BinaryOp::NotIdentical => (pick(Op::JmpNotIdentical, Op::JmpIdentical), false),
        _ => return None,
    })
}

/// The form of an operator that stores straight into a variable.
fn into_variable(op: BinaryOp) -> Option<Op> {
    Some(match op {
        BinaryOp::Add => Op::AddV,
        BinaryOp::Sub => Op::SubV,
        BinaryOp::Mul => Op::MulV,
        BinaryOp::Div => Op::DivV,
        BinaryOp::Mod => Op::ModV,
        BinaryOp::BitAnd => Op::BitAndV,
        BinaryOp::BitOr => Op::BitOrV,
        BinaryOp::BitXor => Op::BitXorV,
        BinaryOp::ShiftLeft => Op::ShlV,
        BinaryOp::ShiftRight => Op::ShrV,
        _ => return None,
    })
}

/// Is it a constant or made of operators, which PHP computes where it compiles them? It does so with `?:`, `??` and elements in constant
/// expressions only.
fn is_operation(mut e: &Expr<'_>) -> bool {
    loop {
        match e.kind {
            ExprKind::Unary { expr, .. } => e = expr,
            ExprKind::Binary { op, left, right } if op != BinaryOp::Coalesce => {
                if !is_operation(right) {
                    return false;
                }
                e = left;
            }
            ExprKind::Ternary { .. } | ExprKind::Index { .. } | ExprKind::Binary { .. } => return false,
            _ => return true,
        }
    }
}

/// `x == true` and its like ask for the truth of a value, as in PHP: the value, and what it shall be. (Casts are no constants there.)
fn compared_with_truth(op: BinaryOp, (left, a): (&Expr<'_>, &Operand), (right, b): (&Expr<'_>, &Operand)) -> Option<(Operand, bool)> {
    let equal = match op {
        BinaryOp::Equal => true,
        BinaryOp::NotEqual => false,
        _ => return None,
    };
    let is_cast = |e: &Expr<'_>| matches!(e.kind, ExprKind::Cast { .. });
    match (a, b) {
        (Operand::Lit(Const::Bool(truth)), value) if !is_cast(left) => Some((value.clone(), *truth == equal)),
        (value, Operand::Lit(Const::Bool(truth))) if !is_cast(right) => Some((value.clone(), *truth == equal)),
        _ => None,
    }
}

/// So many parts of a string are put together at once: each needs a register.
const PARTS_MAX: usize = 1024;

impl<'a> Compiler<'a, '_> {
    /// As in PHP, where the order does not matter but in messages (and for arrays that contain themselves) the simpler operand is the
    /// second one: literals before computed values before results of calls before variables.
    fn commuted(&mut self, op: BinaryOp, (left, a): (&'a Expr<'a>, Operand), (right, b): (&'a Expr<'a>, Operand)) -> Result<(Operand, Operand)> {
        let commutes = matches!(
            op,
            BinaryOp::Mul
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Identical
                | BinaryOp::NotIdentical
        );
        Ok(if commutes && self.rank(left, &a)? < self.rank(right, &b)? { (b, a) } else { (a, b) })
    }

    fn rank(&mut self, mut e: &'a Expr<'a>, operand: &Operand) -> Result<u8> {
        let mut is_list = false;
        // An assignment to a list is what is assigned.
        while let ExprKind::Assign { target: Expr { kind: ExprKind::Array(_), .. }, value } = e.kind {
            (e, is_list) = (value, true);
        }
        Ok(match operand {
            Operand::Lit(_) => 0,
            Operand::Cv(_) => 3,
            _ if is_list && self.const_eval(e)?.is_some() => 0,
            _ if is_list && matches!(e.kind, ExprKind::Var(_)) => 3,
            _ if self.is_result(e) => 2,
            _ => 1,
        })
    }

    /// `$cv = a op b;` in one instruction; false when there is none for it (nothing was emitted).
    pub fn binary_into_variable(&mut self, cv: u16, e: &'a Expr<'a>) -> Result<bool> {
        let (op, left, right) = match e.kind {
            ExprKind::Binary { op, left, right } => (op, left, right),
            ExprKind::Index { index: Some(_), .. } if !crate::lvalue::has_nullsafe(e) => {
                return self.element_into_variable(cv, e);
            }
            _ => return Ok(false),
        };
        let chain = matches!(
            left.kind,
            ExprKind::Binary {
                op: BinaryOp::Concat,
                ..
            }
        );
        let opcode = match into_variable(op) {
            Some(opcode) => opcode,
            None if op == BinaryOp::Concat && !chain => Op::ConcatV,
            None => return Ok(false),
        };
        self.f.b.line = e.line;
        let a = self.expr(left, Dest::Any)?;
        let b = self.expr(right, Dest::Any)?;
        if let (Operand::Lit(x), Operand::Lit(y)) = (&a, &b)
            && let Some(folded) = crate::fold::binary(op, x, y)
        {
            let b = self.f.b.o(Operand::Lit(folded));
            self.f.b.emit(Op::Assign, cv, b, jumbo_bytecode::NONE);
            return Ok(true);
        }
        let (a, b) = if op == BinaryOp::Concat { (self.literal_array_as_string(a), self.literal_array_as_string(b)) } else { (a, b) };
        let (a, b) = self.commuted(op, (left, a), (right, b))?;
        let b_first = self.f.b.o(a);
        let c = self.f.b.o(b);
        self.f.b.emit(opcode, cv, b_first, c);
        Ok(true)
    }

    /// `$cv = base[key];`
    fn element_into_variable(&mut self, cv: u16, e: &'a Expr<'a>) -> Result<bool> {
        let place = self.prepare(e, Fetch::Read)?;
        let crate::lvalue::Place::Dim(base, key, _) = place else {
            let value = self.fetch(place, Fetch::Read)?;
            let b = self.f.b.o(value);
            self.f.b.emit(Op::Assign, cv, b, jumbo_bytecode::NONE);
            return Ok(true);
        };
        let base = self.container(*base, Fetch::Read)?;
        let b = self.f.b.o(base);
        let c = self.f.b.o(key);
        self.f.b.emit(Op::DimRV, cv, b, c);
        Ok(true)
    }

    pub fn unary(&mut self, op: UnaryOp, e: &'a Expr<'a>, dest: Dest) -> Result<Operand> {
        let value = self.expr(e, Dest::Any)?;
        if let Operand::Lit(value) = &value
            && let Some(folded) = crate::fold::unary(op, value)
        {
            return Ok(Operand::Lit(folded));
        }
        Ok(match op {
            UnaryOp::Not => self.f.b.value_op(Op::Not, dest, value, Operand::None),
            UnaryOp::BitNot => self.f.b.value_op(Op::BitNot, dest, value, Operand::None),
            // As PHP: `+x` is `x * 1`, `-x` is `x * -1`.
            UnaryOp::Plus => self
                .f
                .b
                .value_op(Op::Mul, dest, value, Operand::Lit(Const::Int(1))),
            UnaryOp::Minus => self
                .f
                .b
                .value_op(Op::Mul, dest, value, Operand::Lit(Const::Int(-1))),
            UnaryOp::Silence => value,
        })
    }

    pub fn binary(
        &mut self,
        op: BinaryOp,
        left: &'a Expr<'a>,
        right: &'a Expr<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        let Some((opcode, swapped)) = opcode(op) else {
            return match op {
                BinaryOp::Coalesce => self.coalesce(left, right, dest),
                _ => self.short_circuit(op == BinaryOp::Or, left, right, dest),
            };
        };
        if op == BinaryOp::Concat {
            return self.concat(left, right, dest);
        }
        let a = self.expr(left, Dest::Any)?;
        let b = self.expr(right, Dest::Any)?;
        if let (Operand::Lit(x), Operand::Lit(y)) = (&a, &b)
            && let Some(folded) = crate::fold::binary(op, x, y)
        {
            return Ok(Operand::Lit(folded));
        }
        if let Some((value, is_true)) = compared_with_truth(op, (left, &a), (right, &b)) {
            return Ok(self.f.b.value_op(if is_true { Op::Bool } else { Op::Not }, dest, value, Operand::None));
        }
        let (a, b) = self.commuted(op, (left, a), (right, b))?;
        Ok(if swapped {
            self.f.b.value_op(opcode, dest, b, a)
        } else {
            self.f.b.value_op(opcode, dest, a, b)
        })
    }

    /// `a . b . c …`: one allocation for the whole chain.
    fn concat(&mut self, left: &'a Expr<'a>, right: &'a Expr<'a>, dest: Dest) -> Result<Operand> {
        let mut operands = vec![right];
        let mut first = left;
        while let ExprKind::Binary {
            op: BinaryOp::Concat,
            left,
            right,
        } = first.kind
            && operands.len() < 200
        {
            operands.push(right);
            first = left;
        }
        operands.push(first);
        operands.reverse();
        let mut parts: Vec<StringPart<'a>> = Vec::with_capacity(operands.len());
        let mut pair = 2;
        for (n, e) in operands.into_iter().enumerate() {
            match e.kind {
                // An interpolation that begins with a variable reads it at once, the first operand of `.` only after the second one.
                ExprKind::Interpolated(inner)
                    if parts.len() + inner.len() <= PARTS_MAX
                        && (n > 0 && inner.len() > 1 || matches!(inner.first(), Some(StringPart::Literal(_)))) =>
                {
                    parts.extend_from_slice(inner)
                }
                _ => parts.push(StringPart::Expr(e)),
            }
            if n == 1 {
                pair = parts.len();
            }
        }
        self.concat_parts(&parts, pair, dest)
    }

    fn string_part(&mut self, part: &StringPart<'a>, dest: Dest) -> Result<Operand> {
        match part {
            StringPart::Literal(s) => Ok(Operand::Lit(Const::str(s))),
            StringPart::Expr(e) => self.expr(e, dest),
        }
    }

    /// Concatenates two or more parts, which become strings when PHP makes strings of them: the first one when `pair` parts have been
    /// evaluated (the two operands of the first `.`; 1 for an interpolation), the others one by one.
    fn concat_parts(&mut self, parts: &[StringPart<'a>], pair: usize, dest: Dest) -> Result<Operand> {
        let [first, rest @ ..] = parts else {
            return Ok(Operand::Lit(Const::str(b"")));
        };
        let at_once = pair == 1;
        let simple = |part: &StringPart<'_>| match part {
            StringPart::Literal(_) => true,
            StringPart::Expr(e) => is_simple(e),
        };
        let mut start_is_string = false;
        // PHP reads the first variable of a chain only when the second operand has been evaluated.
        let mut start = self.string_part(first, Dest::Any)?;
        if at_once && matches!(start, Operand::Cv(_)) && rest.first().is_some_and(|next| !simple(next)) {
            start = self.f.b.value_op(Op::MoveStr, Dest::Any, start, Operand::None);
            start_is_string = true;
        }
        // A variable in front of an interpolation, which is evaluated whole before the variable is read.
        let late = match start {
            Operand::Cv(variable) if pair > 2 => Some(variable),
            _ => None,
        };
        let mut rest = rest;
        while let [next, tail @ ..] = rest
            && (tail.is_empty() || late.is_none() && matches!(start, Operand::Cv(_)) && !simple(next))
        {
            let b = self.string_part(next, Dest::Any)?;
            start = self.concat_pair(start, b, if tail.is_empty() { dest } else { Dest::Any });
            rest = tail;
        }
        if rest.is_empty() {
            return Ok(start);
        }
        let result = self.f.b.dest(dest);
        let count = rest.len() + 1;
        let block = self.f.b.block(count);
        let (mut used, mut operands) = (0, Vec::new());
        // Of what a pair has been made is a string already.
        if matches!(start, Operand::Lit(Const::Array(_))) {
            start = Operand::Tmp(self.f.b.in_temp(start, Dest::Reg(block)));
        }
        start_is_string |= rest.len() + 1 < parts.len() || matches!(start, Operand::Lit(_) | Operand::Cv(_));
        match late {
            Some(_) => {
                operands.push(Operand::Tmp(block));
                used = 1;
            }
            None => self.concat_part(start, block, pair == 2, &mut used, &mut operands)?,
        }
        // Parts behind which nothing happens may become strings at the end, all at once.
        let last_effect = rest.iter().rposition(|part| matches!(part, StringPart::Expr(e) if !is_literal(e))).map_or(0, |n| n + 1);
        let before = parts.len() - rest.len();
        let mut start_waits = !start_is_string && last_effect > 0;
        if start_waits && at_once {
            self.to_string_in_place(block, false);
            start_waits = false;
        }
        for (n, part) in rest.iter().enumerate() {
            let slot = block + used as u16;
            let value = self.string_part(part, Dest::Reg(slot))?;
            let value = if matches!(value, Operand::Lit(Const::Array(_))) { self.cast_to_string(value, Dest::Reg(slot)) } else { value };
            let evaluated = before + n + 1;
            let is_interpolated = pair > 2 && evaluated <= pair;
            // Two plain operands become strings left to right, when both have been evaluated; an interpolation is one before the first operand.
            if start_waits && evaluated == pair && !is_interpolated {
                self.to_string_in_place(block, true);
                start_waits = false;
            }
            let computed = !matches!(value, Operand::Lit(_) | Operand::Cv(_)) && !matches!(part, StringPart::Expr(e) if is_string(e));
            self.concat_part(value, block, false, &mut used, &mut operands)?;
            if computed && (n + 1 < last_effect || is_interpolated && (late.is_some() || start_waits)) {
                self.to_string_in_place(slot, false);
            }
            if let Some(variable) = late
                && evaluated == pair
            {
                self.f.b.emit(Op::MoveStr, block, variable, 0);
                self.f.b.start_live(block, LiveKind::Value);
            }
            if start_waits && evaluated == pair {
                self.to_string_in_place(block, false);
                start_waits = false;
            }
        }
        if let [Operand::Lit(value)] = operands.as_slice() {
            self.f.b.release_block(block, count);
            if dest != Dest::Reg(result) {
                self.f.b.release(result);
            }
            return Ok(Operand::Lit(value.clone()));
        }
        Ok(self.concat_end(result, block, count, used, operands))
    }

    fn concat_pair(&mut self, a: Operand, b: Operand, dest: Dest) -> Operand {
        if let (Operand::Lit(x), Operand::Lit(y)) = (&a, &b)
            && let Some(folded) = crate::fold::binary(BinaryOp::Concat, x, y)
        {
            return Operand::Lit(folded);
        }
        let a = self.literal_array_as_string(a);
        let b = self.literal_array_as_string(b);
        self.f.b.value_op(Op::Concat, dest, a, b)
    }

    /// An operand of a concatenation: as PHP, which tells of a literal array before it looks at the other operand.
    fn literal_array_as_string(&mut self, b: Operand) -> Operand {
        if matches!(b, Operand::Lit(Const::Array(_))) { self.cast_to_string(b, Dest::Any) } else { b }
    }

    /// Makes a string of the temporary `slot`; of other scalars ConcatN does. `is_first`: it is the first operand of `.`, and the second one is
    /// read next.
    fn to_string_in_place(&mut self, slot: u16, is_first: bool) {
        self.f.b.end_live(slot);
        self.f.b.emit(Op::MoveStr, slot, slot, is_first as u16);
        self.f.b.start_live(slot, LiveKind::Value);
    }

    fn cast_to_string(&mut self, value: Operand, dest: Dest) -> Operand {
        let d = self.f.b.dest(dest);
        let b = self.f.b.o(value);
        self.f.b.emit(Op::Cast, d, b, jumbo_bytecode::unit::CastKind::String as u16);
        self.f.b.start_live(d, LiveKind::Value);
        Operand::Tmp(d)
    }

    /// Puts one part of a concatenation into its slot; literals side by side become one. `is_first`: the first operand of `.`.
    fn concat_part(
        &mut self,
        value: Operand,
        block: u16,
        is_first: bool,
        used: &mut usize,
        parts: &mut Vec<Operand>,
    ) -> Result<()> {
        if let Operand::Lit(y) = &value {
            if let Some(Operand::Lit(x)) = parts.last()
                && let Some(joined) = crate::fold::binary(BinaryOp::Concat, x, y)
            {
                parts.pop();
                parts.push(Operand::Lit(joined));
                return Ok(());
            }
            parts.push(value);
            *used += 1;
            return Ok(());
        }
        let slot = block + *used as u16;
        if let Operand::Cv(register) = value {
            let slot = self.f.b.dest(Dest::Reg(slot));
            self.f.b.emit(Op::MoveStr, slot, register, is_first as u16);
            self.f.b.start_live(slot, LiveKind::Value);
        } else {
            self.f.b.in_temp(value, Dest::Reg(slot));
        }
        parts.push(Operand::Tmp(slot));
        *used += 1;
        Ok(())
    }

    fn concat_end(
        &mut self,
        result: u16,
        block: u16,
        count: usize,
        used: usize,
        parts: Vec<Operand>,
    ) -> Operand {
        // Literals go in at the end: they have no order.
        for (n, part) in parts.iter().enumerate() {
            if let Operand::Lit(_) = part {
                self.f.b.in_temp(part.clone(), Dest::Reg(block + n as u16));
            }
        }
        self.f.b.release_block(block, count);
        self.f.b.emit(Op::ConcatN, result, block, used as u16);
        self.f.b.start_live(result, LiveKind::Value);
        Operand::Tmp(result)
    }

    pub fn interpolated(&mut self, parts: &'a [StringPart<'a>], dest: Dest) -> Result<Operand> {
        match parts {
            [] => return Ok(Operand::Lit(Const::str(b""))),
            [StringPart::Literal(s)] => return Ok(Operand::Lit(Const::str(s))),
            [StringPart::Expr(e)] => {
                let value = self.expr(e, Dest::Any)?;
                return Ok(self.cast_to_string(value, dest));
            }
            _ => {}
        }
        let (first, rest) = parts.split_at(parts.len().min(PARTS_MAX));
        if rest.is_empty() {
            return self.concat_parts(first, 1, dest);
        }
        let mut whole = self.concat_parts(first, 1, Dest::Any)?;
        for more in rest.chunks(PARTS_MAX) {
            self.check_memory()?;
            let more = self.interpolated(more, Dest::Any)?;
            whole = self.concat_pair(whole, more, Dest::Any);
        }
        Ok(whole)
    }

    /// `&&`, `||`.
    /// Does a constant on the left decide `and`, or `or`? What stands on the right is not compiled then.
    fn is_decided(&mut self, left: &'a Expr<'a>, or: bool) -> Result<bool> {
        Ok(is_operation(left) && self.const_eval(left)?.is_some_and(|value| value.to_bool() == or))
    }

    /// The right side of `and` or `or` whose result nobody wants: a variable is read all the same.
    fn void_truth(&mut self, e: &'a Expr<'a>) -> Result<()> {
        if !matches!(e.kind, ExprKind::Var(_)) {
            return self.expr_void(e);
        }
        let value = self.expr(e, Dest::Any)?;
        self.warn_undefined(&value, Fetch::Read);
        Ok(())
    }

    fn short_circuit(
        &mut self,
        or: bool,
        left: &'a Expr<'a>,
        right: &'a Expr<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        if self.is_decided(left, or)? {
            return Ok(Operand::Lit(Const::Bool(or)));
        }
        if dest == Dest::Void && !matches!(left.kind, ExprKind::Int(_) | ExprKind::Const(_)) {
            let mut end = Label::default();
            self.condition(left, or, &mut end)?;
            self.void_truth(right)?;
            self.f.b.bind(end);
            return Ok(Operand::None);
        }
        let a = self.expr(left, Dest::Any)?;
        if let Operand::Lit(value) = &a
            && is_operation(left)
        {
            if value.to_bool() == or {
                return Ok(Operand::Lit(Const::Bool(or)));
            }
            let b = self.expr(right, Dest::Any)?;
            return Ok(match b {
                Operand::Lit(value) => Operand::Lit(Const::Bool(value.to_bool())),
                b => self.f.b.value_op(Op::Bool, dest, b, Operand::None),
            });
        }
        if dest == Dest::Void {
            let mut end = Label::default();
            self.jump_on(a, or, &mut end);
            self.void_truth(right)?;
            self.f.b.bind(end);
            return Ok(Operand::None);
        }
        let result = self.f.b.dest(dest);
        let mut end = Label::default();
        let b = self.f.b.o(a);
        let at = self
            .f
            .b
            .emit(if or { Op::JmpNZBool } else { Op::JmpZBool }, result, b, 0);
        self.f.b.jump_word(at, &mut end);
        let value = self.expr(right, Dest::Any)?;
        match value {
            Operand::Lit(value) => {
                self.f.b.in_temp(
                    Operand::Lit(Const::Bool(value.to_bool())),
                    Dest::Reg(result),
                );
            }
            value => {
                self.f
                    .b
                    .value_op(Op::Bool, Dest::Reg(result), value, Operand::None);
            }
        }
        self.f.b.bind(end);
        Ok(Operand::Tmp(result))
    }

    fn coalesce(&mut self, left: &'a Expr<'a>, right: &'a Expr<'a>, dest: Dest) -> Result<Operand> {
        let result = self.f.b.dest(dest);
        let value = if is_place(left) {
            self.place_value(left, Fetch::Quiet, Dest::Reg(result))?
        } else {
            self.expr(left, Dest::Reg(result))?
        };
        let mut end = Label::default();
        match value {
            Operand::Lit(Const::Null) => {}
            Operand::Lit(value) => {
                // Never null: the right side is compiled for its errors only, behind a jump.
                self.f.b.in_temp(Operand::Lit(value), Dest::Reg(result));
                self.f.b.jump(Op::Jmp, 0, &mut end);
                self.f.b.end_live(result);
            }
            Operand::Cv(register) => {
                let mut keep = Label::default();
                self.f.b.jump(Op::JmpNotNull, register, &mut keep);
                self.expr_to(right, result)?;
                let mut over = Label::default();
                self.f.b.jump(Op::Jmp, 0, &mut over);
                self.f.b.end_live(result);
                self.f.b.bind(keep);
                self.f.b.in_temp(Operand::Cv(register), Dest::Reg(result));
                self.f.b.bind(over);
                return Ok(Operand::Tmp(result));
            }
            other => {
                let register = self.f.b.in_temp(other, Dest::Reg(result));
                debug_assert_eq!(register, result);
                self.f.b.jump(Op::JmpNotNull, result, &mut end);
                self.f.b.end_live(result);
            }
        }
        self.expr_to(right, result)?;
        self.f.b.bind(end);
        Ok(Operand::Tmp(result))
    }

    /// Jumps to `target` when the truth of `e` is `when`; goes on otherwise.
    pub fn condition(&mut self, e: &'a Expr<'a>, when: bool, target: &mut Label) -> Result<()> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.condition_inner(e, when, target))
    }

    fn condition_inner(&mut self, e: &'a Expr<'a>, when: bool, target: &mut Label) -> Result<()> {
        match e.kind {
            ExprKind::Unary {
                op: UnaryOp::Not,
                expr,
            } => return self.condition(expr, !when, target),
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
            } => {
                self.f.b.line = e.line;
                let short_value = op == BinaryOp::Or;
                if self.is_decided(left, short_value)? {
                    self.jump_on(Operand::Lit(Const::Bool(short_value)), when, target);
                    return Ok(());
                }
                if when == short_value {
                    self.condition(left, when, target)?;
                    return self.condition(right, when, target);
                }
                let mut over = Label::default();
                self.condition(left, !when, &mut over)?;
                self.condition(right, when, target)?;
                self.f.b.bind(over);
                return Ok(());
            }
            ExprKind::Binary { op, left, right } if fused(op, when).is_some() => {
                self.f.b.line = e.line;
                let a = self.expr(left, Dest::Any)?;
                let b = self.expr(right, Dest::Any)?;
                if let (Operand::Lit(x), Operand::Lit(y)) = (&a, &b)
                    && let Some(folded) = crate::fold::binary(op, x, y)
                {
                    self.jump_on(Operand::Lit(folded), when, target);
                    return Ok(());
                }
                if let Some((value, is_true)) = compared_with_truth(op, (left, &a), (right, &b)) {
                    self.jump_on(value, when == is_true, target);
                    return Ok(());
                }
                if let Some((jump, swapped)) = fused(op, when) {
                    let (a, b) = self.commuted(op, (left, a), (right, b))?;
                    let (a, b) = if swapped { (b, a) } else { (a, b) };
                    self.compare_and_jump(jump, a, b, target);
                }
                return Ok(());
            }
            ExprKind::Isset(list) if list.len() > 1 => {
                self.f.b.line = e.line;
                let mut over = Label::default();
                for (i, item) in list.iter().enumerate() {
                    let value = self.isset(item, false, Dest::Any)?;
                    let last = i + 1 == list.len();
                    if when && !last {
                        self.jump_on(value, false, &mut over);
                    } else {
                        self.jump_on(value, when, target);
                    }
                }
                self.f.b.bind(over);
                return Ok(());
            }
            _ => {}
        }
        let value = self.expr(e, Dest::Any)?;
        self.jump_on(value, when, target);
        Ok(())
    }

    /// A compare-and-jump instruction, consuming both operands.
    pub fn compare_and_jump(&mut self, op: Op, a: Operand, b: Operand, target: &mut Label) {
        self.compare_again_and_jump(op, a, b, false, target);
    }

    /// As [`compare_and_jump`](Self::compare_and_jump). `told` (of JmpIdentical alone): `a` was compared before, and `b` is not null.
    pub fn compare_again_and_jump(&mut self, op: Op, a: Operand, b: Operand, told: bool, target: &mut Label) {
        let a = self.f.b.o(a);
        let b = self.f.b.o(b);
        let at = self.f.b.emit(op, a, b, told as u16);
        self.f.b.jump_word(at, target);
    }

    fn jump_on(&mut self, value: Operand, when: bool, target: &mut Label) {
        if let Operand::Lit(value) = &value {
            if value.to_bool() == when {
                self.f.b.jump(Op::Jmp, 0, target);
            }
            return;
        }
        let a = self.f.b.o(value);
        self.f
            .b
            .jump(if when { Op::JmpNZ } else { Op::JmpZ }, a, target);
    }
}
