//! Constants in place of what computes them, and branches that are decided.

use super::body::{Body, within};
use super::facts::{Facts, State};
use jumbo_bytecode::op::{LITERAL, NONE};
use jumbo_bytecode::{Insn, Kind, Op};

/// Operators whose operands may be literals instead of variables.
fn takes_literals(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Mod
            | Op::Concat
            | Op::BitAnd
            | Op::BitOr
            | Op::BitXor
            | Op::Shl
            | Op::Shr
            | Op::AddV
            | Op::SubV
            | Op::MulV
            | Op::DivV
            | Op::ModV
            | Op::BitAndV
            | Op::BitOrV
            | Op::BitXorV
            | Op::ShlV
            | Op::ShrV
            | Op::ConcatV
            | Op::Identical
            | Op::NotIdentical
            | Op::Equal
            | Op::NotEqual
            | Op::Less
            | Op::LessEqual
            | Op::JmpLess
            | Op::JmpNotLess
            | Op::JmpLessEqual
            | Op::JmpNotLessEqual
            | Op::JmpEqual
            | Op::JmpNotEqual
            | Op::JmpIdentical
            | Op::JmpNotIdentical
            | Op::JmpZ
            | Op::JmpNZ
            | Op::JmpZBool
            | Op::JmpNZBool
            | Op::JmpTrueKeep
            | Op::Assign
            | Op::Move
            | Op::MoveQuiet
            | Op::Echo
            | Op::Return
    )
}

/// What becomes of an instruction.
enum Edit {
    Keep,
    Remove,
    Replace(Insn),
    /// An instruction of two words becomes two.
    Two(Insn, Insn),
}

/// Does what the facts allow; true: something changed.
pub fn constants(body: &mut Body<'_>, facts: &Facts) -> bool {
    let mut changed = false;
    let all = body.places();
    for (n, block) in facts.blocks.iter().enumerate() {
        let places = within(&all, block.start, block.end);
        let Some(mut state) = facts.entry[n].clone() else {
            changed |= !places.is_empty();
            places.iter().for_each(|&at| body.remove(at));
            continue;
        };
        for &at in places {
            let edit = edit(body, facts, at, &state);
            facts.step(body, at, &mut state);
            changed |= !matches!(edit, Edit::Keep);
            match edit {
                Edit::Keep => {}
                Edit::Remove => body.remove(at),
                Edit::Replace(insn) => body.replace(at, insn),
                Edit::Two(first, second) => body.replace_by_two(at, first, second),
            }
        }
        changed |= forward(body, places);
    }
    changed | jumps_to_next(body)
}

fn edit(body: &mut Body<'_>, facts: &Facts, at: usize, state: &State) -> Edit {
    let insn = body.code[at];
    let op = insn.op();
    let info = op.info();
    let (a, b, c) = (insn.a(), insn.b(), insn.c());
    let operands = insn.operands();
    let takes_temp = !body.taken(insn).is_empty();
    if let Some(jumps) = facts.decided(body, at, state)
        && !takes_temp
    {
        if !jumps {
            return Edit::Remove;
        }
        if matches!(op, Op::JmpZ | Op::JmpNZ) {
            return Edit::Replace(Insn::with_bc(Op::Jmp, 0, insn.bc()));
        }
        let offset = (body.code[at + 1].0 as u32).wrapping_sub(1);
        let value = match op {
            Op::JmpZBool => Some(crate::konst::Const::Bool(false)),
            Op::JmpNZBool => Some(crate::konst::Const::Bool(true)),
            _ => facts.value(facts.operand(body, state, b)),
        };
        if let Some(index) = value.and_then(|v| body.literal(&v)) {
            return Edit::Two(
                Insn::with_bc(Op::Lit, a, index as u32),
                Insn::with_bc(Op::Jmp, 0, offset),
            );
        }
        return Edit::Keep;
    }
    let is_jump = matches!(op, Op::JmpZBool | Op::JmpNZBool | Op::JmpTrueKeep);
    let is_final = op == Op::Lit || op == Op::Assign && (b & LITERAL != 0 || c != NONE);
    if !takes_temp
        && !is_jump
        && !is_final
        && op.words() == 1
        && matches!(info.a, Kind::D | Kind::V)
        && let Some(value) = facts
            .result(body, at, state)
            .and_then(|fact| facts.value(fact))
        && facts.is_pure(body, at, state)
        && let Some(index) = body.literal(&value)
    {
        if info.a == Kind::D {
            return Edit::Replace(Insn::with_bc(Op::Lit, a, index as u32));
        }
        if index & LITERAL == 0 {
            return Edit::Replace(Insn::new(Op::Assign, a, index | LITERAL, NONE));
        }
    }
    if !takes_literals(op) {
        return Edit::Keep;
    }
    let mut parts = [a, b, c];
    for (part, (kind, operand)) in parts.iter_mut().zip(operands) {
        if kind == Kind::O
            && body.is_cv(operand)
            && let Some(value) = facts.value(facts.operand(body, state, operand))
            && let Some(index) = body.literal(&value)
            && index & LITERAL == 0
        {
            *part = index | LITERAL;
        }
    }
    if parts == [a, b, c] {
        Edit::Keep
    } else {
        Edit::Replace(with_parts(insn, parts))
    }
}

fn with_parts(insn: Insn, [a, b, c]: [u16; 3]) -> Insn {
    if matches!(insn.op().info().b, Kind::bcJ | Kind::bcN) {
        Insn::with_bc(insn.op(), a, insn.bc())
    } else {
        Insn::new(insn.op(), a, b, c)
    }
}

/// Literals that go through a temporary to the one instruction that takes it.
fn forward(body: &mut Body<'_>, places: &[usize]) -> bool {
    let mut changed = false;
    for (n, &def) in places.iter().enumerate() {
        let lit = body.code[def];
        if body.is_removed(def) || lit.op() != Op::Lit || lit.bc() >= NONE as u32 {
            continue;
        }
        let register = lit.a();
        let Some(taker) = places[n + 1..]
            .iter()
            .copied()
            .find(|&at| !body.is_removed(at) && names(body.code[at], register))
        else {
            continue;
        };
        let insn = body.code[taker];
        let info = insn.op().info();
        let mut parts = [insn.a(), insn.b(), insn.c()];
        let mut hits = 0;
        for (part, kind) in parts.iter_mut().zip([info.a, info.b, info.c]) {
            if *part == register && kind == Kind::O {
                *part = LITERAL | lit.bc() as u16;
                hits += 1;
            }
        }
        let replaced = with_parts(insn, parts);
        let clean = hits == 1 && takes_literals(insn.op()) && !names(replaced, register);
        if clean && body.take_live(register, def, taker) {
            body.remove(def);
            body.replace(taker, replaced);
            changed = true;
        }
    }
    changed
}

/// Does the instruction name the register (or may it, as part of a row of them)?
fn names(insn: Insn, register: u16) -> bool {
    let info = insn.op().info();
    let rows = matches!(info.a, Kind::F) && register >= insn.a()
        || insn.op() == Op::ConcatN && register >= insn.b();
    let own = insn.operands();
    rows || own.iter().any(|&(kind, o)| {
        let is_register = matches!(
            kind,
            Kind::D | Kind::O | Kind::P | Kind::V | Kind::W | Kind::Q | Kind::F
        );
        is_register && o == register
    })
}

/// Jumps over nothing.
fn jumps_to_next(body: &mut Body<'_>) -> bool {
    let mut changed = false;
    for at in body.places() {
        let insn = body.code[at];
        let target = at as i64 + insn.jump() as i64;
        let over_nothing = insn.op() == Op::Jmp
            && target > at as i64
            && (at + 1..(target as usize).min(body.code.len())).all(|word| body.is_removed(word));
        if over_nothing {
            body.remove(at);
            changed = true;
        }
    }
    changed
}
