//! Loops whose variables begin with another type than they go on with: the condition is copied to where the loop is entered.
//!
//! A loop `Jmp cond; body: …; cond: …; JmpLess ->body` whose condition computes with `$x = 0` at first and with floats later knows nothing of `$x`. With a
//! copy of the condition in place of the first `Jmp`, what it computes there (often a constant) is known there, and the loop itself sees floats alone.

use super::body::{Body, jumps, within};
use super::facts::{Facts, State, types};
use jumbo_bytecode::{Kind, Op};

/// Conditions of more words are not copied.
const LONGEST: usize = 32;

/// Enters one such loop through a copy of its condition; true: something changed, and the facts no longer hold.
pub fn entry(body: &mut Body<'_>, facts: &Facts) -> bool {
    let all = body.places();
    let found = (0..facts.blocks.len()).find_map(|n| {
        let (at, condition) = entered(body, facts, &all, n)?;
        let state = facts.state_before(body, n, at)?;
        let joined = facts.entry[condition].as_ref()?;
        let (from, to) = (facts.blocks[condition].start, facts.blocks[condition].end);
        computes_with_changed(body, facts, within(&all, from, to), &state, joined).then_some((at, from, to))
    });
    found.is_some_and(|(at, from, to)| body.enter_through_copy(at, from, to))
}

/// Does block `n` end with the `Jmp` into the condition of a loop? Its place, and the condition's block.
fn entered(body: &Body<'_>, facts: &Facts, all: &[usize], n: usize) -> Option<(usize, usize)> {
    let last_of = |n: usize| within(all, facts.blocks[n].start, facts.blocks[n].end).last().copied();
    let at = last_of(n).filter(|&at| body.code[at].op() == Op::Jmp)?;
    let target = usize::try_from(at as i64 + body.code[at].jump() as i64).ok().filter(|target| *target > at)?;
    let condition = facts.blocks.iter().position(|b| b.start == target)?;
    let block = &facts.blocks[condition];
    let last = last_of(condition)?;
    let mut back = jumps(&body.code, last).map(|jump| last as i64 + jump.offset as i64);
    let goes_back = (at as i64 + 1..target as i64).contains(&back.next()?);
    (goes_back && back.next().is_none() && block.end - block.start <= LONGEST).then_some((at, condition))
}

/// Is there arithmetic with a variable that is an int or a float where the loop is entered, and may be both later?
fn computes_with_changed(body: &Body<'_>, facts: &Facts, places: &[usize], entered: &State, joined: &State) -> bool {
    let is_changed = |register: u16| {
        let (first, later) = (facts.register(entered, register).types, facts.register(joined, register).types);
        later == types::NUMBER && (first == types::INT || first == types::FLOAT)
    };
    places.iter().map(|&at| body.code[at]).any(|insn| {
        matches!(insn.op(), Op::Add | Op::Sub | Op::Mul | Op::AddV | Op::SubV | Op::MulV)
            && insn.operands().into_iter().any(|(kind, operand)| kind == Kind::O && body.is_cv(operand) && is_changed(operand))
    })
}
