//! The last pass over a function's code: generic instructions become specialised ones of the same length, jumps to jumps go
//! straight to the end of the chain, and backward jumps become the `Loop…` forms, which are safepoints.
//!
//! Nothing moves, so lines, live ranges and jump offsets stay as they are.

use crate::konst::Const;
use jumbo_bytecode::op::{FRAME_HEADER, LITERAL, NONE, THIS};
use jumbo_bytecode::unit::{FunctionProto, func_flags};
use jumbo_bytecode::{Insn, Op, insn};

/// Flags of what may run with a `$this`: all but plain functions.
const MAY_HAVE_THIS: u32 = func_flags::PUBLIC | func_flags::PROTECTED | func_flags::PRIVATE | func_flags::CLOSURE | func_flags::HOOK;

/// The `Loop…` form of a jump.
fn loop_form(op: Op) -> Option<Op> {
    Some(match op {
        Op::Jmp => Op::Loop,
        Op::JmpZ => Op::LoopZ,
        Op::JmpNZ => Op::LoopNZ,
        Op::JmpLess => Op::LoopLess,
        Op::JmpNotLess => Op::LoopNotLess,
        Op::JmpLessEqual => Op::LoopLessEqual,
        Op::JmpNotLessEqual => Op::LoopNotLessEqual,
        Op::JmpEqual => Op::LoopEqual,
        Op::JmpNotEqual => Op::LoopNotEqual,
        Op::JmpIdentical => Op::LoopIdentical,
        Op::JmpNotIdentical => Op::LoopNotIdentical,
        _ => return None,
    })
}

fn is_plain_jump(op: Op) -> bool {
    matches!(op, Op::Jmp | Op::JmpZ | Op::JmpNZ)
}

/// Offset of a jump that [`loop_form`] knows.
fn offset(code: &[Insn], at: usize) -> Option<i32> {
    let op = code[at].op();
    if is_plain_jump(op) || op == Op::Loop {
        return Some(code[at].jump());
    }
    loop_form(op)?;
    Some(code.get(at + 1)?.0 as u32 as i32)
}

fn set_offset(code: &mut [Insn], at: usize, offset: i32) {
    let insn = code[at];
    if is_plain_jump(insn.op()) || insn.op() == Op::Loop {
        code[at] = Insn::with_bc(insn.op(), insn.a(), offset as u32);
    } else {
        code[at + 1] = Insn(offset as u32 as u64);
    }
}

/// Follows `Jmp`s and `Loop`s from `target`; the word where it ends, and whether a `Loop` was on the way.
fn follow(code: &[Insn], mut target: usize) -> (usize, bool) {
    let mut looped = false;
    for _ in 0..16 {
        match code.get(target) {
            Some(insn) if matches!(insn.op(), Op::Jmp | Op::Loop) && insn.jump() != 0 => {
                looped |= insn.op() == Op::Loop || insn.jump() < 0;
                target = (target as i64 + insn.jump() as i64) as usize;
            }
            _ => break,
        }
    }
    (target, looped)
}

/// Rewrites finished code (registers are final, `first_temp` is known).
pub fn specialize(proto: &mut FunctionProto, literals: &[Const]) {
    let (first_temp, flags) = (proto.first_temp, proto.flags);
    let code = &mut proto.code;
    let places: Vec<usize> = insn::walk(code).map(|(at, _)| at).collect();
    for &at in &places {
        if let Some(jump) = offset(code, at) {
            // A jump to itself is an empty endless loop: it stays where it is, and becomes a safepoint like any other loop.
            if jump != 0 {
                let target = (at as i64 + jump as i64) as usize;
                let (end, looped) = follow(code, target);
                // A way through a loop's end must stay a safepoint: it does when the new jump goes backwards.
                if end != target && (!looped || end <= at) {
                    set_offset(code, at, (end as i64 - at as i64) as i32);
                }
            }
            if offset(code, at).is_some_and(|o| o <= 0)
                && let Some(op) = loop_form(code[at].op())
            {
                let insn = code[at];
                code[at] = Insn(insn.0 & !0xffff | op as u64);
            }
            code[at] = narrowed_jump(code[at], literals);
            continue;
        }
        code[at] = narrowed(code[at], first_temp, flags, literals);
    }
    for pair in places.windows(2) {
        code[pair[0]] = counting(code[pair[0]], code[pair[1]]);
    }
    for at in places {
        code[at] = code[at].doubled();
    }
}

/// `$i++` in front of the comparison that ends a loop over `$i`.
fn counting(step: Insn, test: Insn) -> Insn {
    if step.op() != Op::IncInt || step.a() != test.a() {
        return step;
    }
    let form = match test.op() {
        Op::LoopLessRR => Op::IncLoopLessRR,
        Op::LoopLessRL => Op::IncLoopLessRL,
        Op::LoopLessEqualRR => Op::IncLoopLessEqualRR,
        Op::LoopLessEqualRL => Op::IncLoopLessEqualRL,
        _ => return step,
    };
    Insn::new(form, step.a(), test.b(), 0)
}

/// Is the operand a literal int?
fn is_int(operand: u16, literals: &[Const]) -> bool {
    operand & LITERAL != 0 && matches!(literals.get((operand & !LITERAL) as usize), Some(Const::Int(_)))
}

/// Is the operand a literal string that is no number as a key, and begins like none?
fn is_symbol(operand: u16, literals: &[Const]) -> bool {
    operand & LITERAL != 0
        && matches!(literals.get((operand & !LITERAL) as usize), Some(Const::Str(text)) if text.first().is_some_and(|&first| first > b'9'))
}

/// The form of a comparing jump for two registers, or for a register and a literal.
fn narrowed_jump(insn: Insn, literals: &[Const]) -> Insn {
    let (a, b) = (insn.a(), insn.b());
    let is_register = |o: u16| o & LITERAL == 0 && o < THIS;
    if is_register(b) && is_int(a, literals) {
        let form = match insn.op() {
            Op::JmpLess => Op::JmpLessLR,
            Op::JmpNotLess => Op::JmpNotLessLR,
            Op::JmpLessEqual => Op::JmpLessEqualLR,
            Op::JmpNotLessEqual => Op::JmpNotLessEqualLR,
            Op::LoopLess => Op::LoopLessLR,
            Op::LoopLessEqual => Op::LoopLessEqualLR,
            _ => return insn,
        };
        return Insn::new(form, a & !LITERAL, b, insn.c());
    }
    if !is_register(a) || (b & LITERAL == 0 && b >= THIS) {
        return insn;
    }
    let with_literal = b & LITERAL != 0;
    let op = insn.op();
    let pick = |registers: Op, literal: Op| if with_literal { literal } else { registers };
    // Orders have forms for ints alone.
    let ordered = |registers: Op, literal: Op| if with_literal && !is_int(b, literals) { op } else { pick(registers, literal) };
    let form = match op {
        Op::JmpLess => ordered(Op::JmpLessRR, Op::JmpLessRL),
        Op::JmpNotLess => ordered(Op::JmpNotLessRR, Op::JmpNotLessRL),
        Op::JmpLessEqual => ordered(Op::JmpLessEqualRR, Op::JmpLessEqualRL),
        Op::JmpNotLessEqual => ordered(Op::JmpNotLessEqualRR, Op::JmpNotLessEqualRL),
        Op::LoopLess => ordered(Op::LoopLessRR, Op::LoopLessRL),
        Op::LoopLessEqual => ordered(Op::LoopLessEqualRR, Op::LoopLessEqualRL),
        Op::JmpEqual => pick(op, Op::JmpEqualRL),
        Op::JmpNotEqual => pick(op, Op::JmpNotEqualRL),
        Op::JmpIdentical => pick(op, Op::JmpIdenticalRL),
        Op::JmpNotIdentical => pick(op, Op::JmpNotIdenticalRL),
        _ => op,
    };
    let b = if with_literal && form != op { b & !LITERAL } else { b };
    Insn::new(form, a, b, insn.c())
}

/// The specialised form of one instruction.
fn narrowed(insn: Insn, first_temp: u16, flags: u32, literals: &[Const]) -> Insn {
    let (a, b, c) = (insn.a(), insn.b(), insn.c());
    let is_literal = |o: u16| o & LITERAL != 0;
    let is_register = |o: u16| !is_literal(o) && o < THIS;
    let is_cv = |o: u16| (FRAME_HEADER..first_temp).contains(&o);
    let literal = |o: u16| o & !LITERAL;
    let arithmetic = |registers: Op, with_literal: Op| {
        if is_register(b) && is_register(c) {
            Insn::new(registers, a, b, c)
        } else if is_register(b) && is_int(c, literals) {
            Insn::new(with_literal, a, b, literal(c))
        } else {
            insn
        }
    };
    match insn.op() {
        Op::Add => arithmetic(Op::AddRR, Op::AddRL),
        Op::Sub => arithmetic(Op::SubRR, Op::SubRL),
        Op::Mul => arithmetic(Op::MulRR, Op::MulRL),
        Op::AddV => arithmetic(Op::AddVRR, Op::AddVRL),
        Op::SubV => arithmetic(Op::SubVRR, Op::SubVRL),
        Op::MulV => arithmetic(Op::MulVRR, Op::MulVRL),
        Op::DimR if is_cv(b) && is_cv(c) => Insn::new(Op::DimRR, a, b, c),
        Op::DimR if is_cv(b) && is_literal(c) => Insn::new(Op::DimRL, a, b, literal(c)),
        Op::IssetDim if is_cv(b) && is_symbol(c, literals) => Insn::new(Op::IssetDimRL, a, b, literal(c)),
        Op::DimIs if is_cv(b) && is_symbol(c, literals) => Insn::new(Op::DimIsRL, a, b, literal(c)),
        Op::AssignDim if is_cv(a) && is_register(b) && is_register(c) => Insn::new(Op::AssignDimRR, a, b, c),
        Op::AssignDim if is_cv(a) && is_register(b) && is_literal(c) => Insn::new(Op::AssignDimRL, a, b, c),
        Op::AssignDim if is_cv(a) => Insn::new(Op::AssignDimCv, a, b, c),
        Op::AssignDimOp if is_cv(a) => Insn::new(Op::AssignDimOpCv, a, b, c),
        Op::Move if is_cv(b) => Insn::new(Op::MoveCv, a, b, 0),
        // Files and constant expressions end but once.
        Op::Return if flags & (func_flags::SYMBOL_TABLE | func_flags::MAIN | func_flags::THUNK) == 0 => {
            let form = match (flags & MAY_HAVE_THIS != 0, is_literal(a)) {
                (false, false) => Op::ReturnReg,
                (false, true) => Op::ReturnLit,
                (true, false) => Op::ReturnMethodReg,
                (true, true) => Op::ReturnMethodLit,
            };
            Insn::new(form, a, first_temp - FRAME_HEADER, 0)
        }
        Op::IncCv => Insn::new(if b == 0 { Op::IncInt } else { Op::DecInt }, a, 0, 0),
        Op::Assign if c == NONE && is_literal(b) => Insn::new(Op::AssignLit, a, literal(b), 0),
        Op::Assign if c == NONE && is_register(b) && b >= first_temp => Insn::new(Op::AssignTmp, a, b, 0),
        Op::Assign if c == NONE && is_cv(b) => Insn::new(Op::AssignVar, a, b, 0),
        Op::PropR if b == THIS && is_literal(c) => Insn::new(Op::PropThis, a, 0, literal(c)),
        Op::AssignProp if a == THIS && is_literal(b) => {
            Insn::new(Op::AssignPropThis, 0, literal(b), c)
        }
        Op::InitMethod if b == THIS && is_literal(c) => {
            Insn::new(Op::InitMethodThis, a, 0, literal(c))
        }
        _ => insn,
    }
}
