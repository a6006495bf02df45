//! Loops whose variables begin with another type than they go on with: the condition is copied to where the loop is entered.
//!
//! A loop `Jmp cond; body: …; cond: …; JmpLess ->body` whose condition computes with `$x = 0` at first and with floats later knows nothing of `$x`. With a
//! copy of the condition in place of the first `Jmp`, what it computes there (often a constant) is known there, and the loop itself sees floats alone.

use super::body::{Body, jumps};
use super::facts::{Facts, State, types};
use jumbo_bytecode::op::LITERAL;
use jumbo_bytecode::{Kind, Op};

/// Conditions of more words are not copied.
const LONGEST: usize = 32;

/// Enters one such loop through a copy of its condition; true: something changed, and the facts no longer hold.
pub fn entry(body: &mut Body<'_>, facts: &Facts) -> bool {
    let found = facts.blocks.iter().enumerate().find_map(|(n, block)| {
        let (at, condition) = entered(body, facts, n)?;
        let state = facts.state_before(body, n, at)?;
        let joined = facts.entry[condition].as_ref()?;
        let (from, to) = (facts.blocks[condition].start, facts.blocks[condition].end);
        debug_assert_eq!(block.end, at + 1);
        computes_with_changed(body, facts, from, to, &state, joined).then_some((at, from, to))
    });
    found.is_some_and(|(at, from, to)| body.enter_through_copy(at, from, to))
}

/// Does block `n` end with the `Jmp` into the condition of a loop? Its place, and the condition's block.
fn entered(body: &Body<'_>, facts: &Facts, n: usize) -> Option<(usize, usize)> {
    let at = facts.blocks[n].end.checked_sub(1)?;
    let jump = jumps(&body.code, at).next().filter(|_| body.code[at].op() == Op::Jmp && !body.is_removed(at))?;
    let target = usize::try_from(at as i64 + jump.offset as i64).ok().filter(|target| *target > at)?;
    let condition = facts.blocks.iter().position(|b| b.start == target)?;
    let block = &facts.blocks[condition];
    let last = last_place(body, block.start, block.end)?;
    let back = jumps(&body.code, last).next()?;
    let goes_back = (at as i64 + 1..target as i64).contains(&(last as i64 + back.offset as i64));
    (goes_back && block.end - block.start <= LONGEST && jumps(&body.code, last).count() == 1).then_some((at, condition))
}

fn last_place(body: &Body<'_>, start: usize, end: usize) -> Option<usize> {
    let mut at = start;
    while at < end {
        let next = at + body.code[at].op().words();
        if next == end {
            return Some(at);
        }
        at = next;
    }
    None
}

/// Is there arithmetic with a variable that is an int or a float where the loop is entered, and may be both later?
fn computes_with_changed(body: &Body<'_>, facts: &Facts, from: usize, to: usize, entered: &State, joined: &State) -> bool {
    let mut at = from;
    while at < to {
        let insn = body.code[at];
        if matches!(insn.op(), Op::Add | Op::Sub | Op::Mul | Op::AddV | Op::SubV | Op::MulV) {
            for (kind, operand) in insn.operands() {
                if kind != Kind::O || operand & LITERAL != 0 || !body.is_cv(operand) {
                    continue;
                }
                let (first, later) = (facts.register(entered, operand).types, facts.register(joined, operand).types);
                if later == types::NUMBER && (first == types::INT || first == types::FLOAT) {
                    return true;
                }
            }
        }
        at += insn.op().words();
    }
    false
}
