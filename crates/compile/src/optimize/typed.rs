//! Instructions for operands of known type: floats without a look at their tags, steps by one.

use super::body::{Body, within};
use super::facts::{Facts, State, types};
use crate::konst::Const;
use jumbo_bytecode::op::{LITERAL, NONE};
use jumbo_bytecode::{Insn, Kind, Op};

/// Chooses the forms, on code that is otherwise final.
pub fn forms(body: &mut Body<'_>, facts: &Facts) {
    let all = body.places();
    for (n, block) in facts.blocks.iter().enumerate() {
        let Some(mut state) = facts.entry[n].clone() else {
            continue;
        };
        for &at in within(&all, block.start, block.end) {
            let form = form(body, facts, at, &state);
            facts.step(body, at, &mut state);
            if let Some(insn) = form {
                body.replace(at, insn);
            }
        }
    }
}

/// The better form of the (one-word) instruction at `at`.
fn form(body: &mut Body<'_>, facts: &Facts, at: usize, state: &State) -> Option<Insn> {
    let insn = body.code[at];
    let op = insn.op();
    let (a, b, c) = (insn.a(), insn.b(), insn.c());
    let forms = match op {
        Op::Assign if c == NONE && b & LITERAL == 0 => {
            let (from, to) = (facts.operand(body, state, b), facts.register(state, a));
            let plain = from.is(types::SCALAR & !types::UNDEF) && to.is(types::SCALAR);
            return plain.then(|| Insn::new(Op::CopyScalar, a, b, 0));
        }
        Op::VerifyReturn if c != NONE && facts.operand(body, state, c).types & types::UNDEF == 0 => {
            // The variable is there: it need not be read again.
            let kinds = body.proto.return_type.as_ref().map_or(0, |ty| ty.mask & jumbo_bytecode::types::mask::MIXED);
            return Some(Insn::new(op, a, kinds as u16, NONE));
        }
        Op::Add | Op::AddV => [Op::AddFRR, Op::AddFRL, Op::AddRR, Op::AddRL],
        Op::Sub | Op::SubV => [Op::SubFRR, Op::SubFRL, Op::SubRR, Op::SubRL],
        Op::Mul | Op::MulV => [Op::MulFRR, Op::MulFRL, Op::MulRR, Op::MulRL],
        _ => return None,
    };
    let (x, y) = (facts.operand(body, state, b), facts.operand(body, state, c));
    // With nothing to release in the variable, the forms that write a register do.
    let into_variable = op.info().a == Kind::V;
    if into_variable && !facts.register(state, a).is(types::SCALAR) {
        return None;
    }
    // `$x += $y` tells of `$y` first, when neither is set.
    if into_variable && a == b && x.types & y.types & types::UNDEF != 0 {
        return None;
    }
    // `$x = $x + 1` of a number is `$x++`; a temporary that is 1 has to be consumed.
    let is_temp = c & LITERAL == 0 && c >= body.proto.first_temp;
    if matches!(op, Op::AddV | Op::SubV)
        && a == b
        && !is_temp
        && x.is(types::NUMBER)
        && x.types & types::INT != 0
    {
        if let Some(Const::Int(1)) = facts.value(y) {
            return Some(Insn::new(Op::IncCv, a, (op == Op::SubV) as u16, 0));
        }
    }
    let literal = |body: &mut Body<'_>, fact| {
        let value = match facts.value(fact)? {
            Const::Float(f) => Const::Float(f),
            Const::Int(i) => Const::Float(i as f64),
            _ => return None,
        };
        body.literal(&value)
    };
    match (b & LITERAL != 0, c & LITERAL != 0) {
        (false, false) if x.is(types::FLOAT) && y.is(types::FLOAT) => {
            Some(Insn::new(forms[0], a, b, c))
        }
        (false, true) if x.is(types::FLOAT) => Some(Insn::new(forms[1], a, b, literal(body, y)?)),
        // Sums and products of numbers may change sides.
        (true, false) if y.is(types::FLOAT) && !matches!(op, Op::Sub | Op::SubV) => {
            Some(Insn::new(forms[1], a, c, literal(body, x)?))
        }
        (true, false) if x.is(types::INT) && y.is(types::NUMBER) && !matches!(op, Op::Sub | Op::SubV) => {
            Some(Insn::new(forms[3], a, c, b & !LITERAL))
        }
        (false, false) if into_variable => Some(Insn::new(forms[2], a, b, c)),
        (false, true) if into_variable && y.is(types::INT) => Some(Insn::new(forms[3], a, b, c & !LITERAL)),
        _ => None,
    }
}
