//! Comparisons and comparing jumps.

use super::calls::save;
use super::operand;
use crate::frame::Frame;
use crate::vm::Vm;
use crate::{jump, next, op, tri};
use jumbo_abi::Res;
use jumbo_bytecode::Insn;
use jumbo_value::{Raw, compare as rules, tag};

#[inline(always)]
fn less(x: Raw, y: Raw) -> Option<bool> {
    match (x.tag, y.tag) {
        (tag::INT, tag::INT) => Some((x.bits as i64) < y.bits as i64),
        (tag::FLOAT, tag::FLOAT) => Some(x.as_float() < y.as_float()),
        (tag::INT, tag::FLOAT) => Some((x.bits as i64 as f64) < y.as_float()),
        (tag::FLOAT, tag::INT) => Some(x.as_float() < y.bits as i64 as f64),
        _ => None,
    }
}
#[inline(always)]
fn less_equal(x: Raw, y: Raw) -> Option<bool> {
    match (x.tag, y.tag) {
        (tag::INT, tag::INT) => Some(x.bits as i64 <= y.bits as i64),
        (tag::FLOAT, tag::FLOAT) => Some(x.as_float() <= y.as_float()),
        (tag::INT, tag::FLOAT) => Some(x.bits as i64 as f64 <= y.as_float()),
        (tag::FLOAT, tag::INT) => Some(x.as_float() <= y.bits as i64 as f64),
        _ => None,
    }
}
#[inline(always)]
fn equal(x: Raw, y: Raw) -> Option<bool> {
    match (x.tag, y.tag) {
        (tag::INT, tag::INT) => Some(x.bits == y.bits),
        (tag::FLOAT, tag::FLOAT) => Some(x.as_float() == y.as_float()),
        _ => None,
    }
}
#[inline(always)]
fn not_equal(x: Raw, y: Raw) -> Option<bool> {
    equal(x, y).map(|e| !e)
}
/// Kinds without a payload, and ints; undefined variables and references take the slow path.
#[inline(always)]
fn identical(x: Raw, y: Raw) -> Option<bool> {
    if x.tag == tag::UNDEF || y.tag == tag::UNDEF || x.is_counted() || y.is_counted() {
        return None;
    }
    if x.kind_byte() != y.kind_byte() {
        return Some(false);
    }
    match x.tag {
        tag::INT => Some(x.bits == y.bits),
        tag::FLOAT => Some(x.as_float() == y.as_float()),
        tag::NULL | tag::FALSE | tag::TRUE => Some(true),
        _ => None,
    }
}
#[inline(always)]
fn not_identical(x: Raw, y: Raw) -> Option<bool> {
    identical(x, y).map(|e| !e)
}

#[derive(Clone, Copy)]
enum How {
    Less,
    LessEqual,
    Equal,
    NotEqual,
    Identical,
    NotIdentical,
}

#[inline(never)]
unsafe fn slow(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, b: u16, c: u16, how: How) -> Res<bool> {
    // SAFETY: as the handlers.
    unsafe {
        let x = operand::take_value(vm, fp, lits, b)?;
        let y = operand::take_value(vm, fp, lits, c)?;
        let cx = Vm::cx(vm);
        let answer = match how {
            How::Identical => Ok(rules::identical(&x, &y)),
            How::NotIdentical => Ok(!rules::identical(&x, &y)),
            How::Equal => cx.loose_equals(&x, &y),
            How::NotEqual => cx.loose_equals(&x, &y).map(|e| !e),
            How::Less => cx.compare(&x, &y).map(|o| o < 0),
            How::LessEqual => cx.compare(&x, &y).map(|o| o <= 0),
        };
        drop((x, y));
        if jumbo_value::Heap::current_has_dying() {
            crate::objects::run_destructors(cx)?;
        }
        answer
    }
}

macro_rules! comparison {
    ($($name:ident $fast:ident $how:ident;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                let (b, c) = ((*pc).b(), (*pc).c());
                let t = match $fast(*operand::peek(fp, lits, b), *operand::peek(fp, lits, c)) {
                    Some(t) => t,
                    None => {
                        save(vm, fp, pc);
                        tri!(slow(vm, fp, lits, b, c, How::$how), pc, fp, vm)
                    }
                };
                *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
                next!(pc, fp, vm, lits, 1)
            }
        )*}
    };
}
comparison! {
    Less less Less;
    LessEqual less_equal LessEqual;
    Equal equal Equal;
    NotEqual not_equal NotEqual;
    Identical identical Identical;
    NotIdentical not_identical NotIdentical;
}

macro_rules! comparing_jump {
    ($($name:ident $fast:ident $how:ident $when:literal;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                let (a, b) = ((*pc).a(), (*pc).b());
                let t = match $fast(*operand::peek(fp, lits, a), *operand::peek(fp, lits, b)) {
                    Some(t) => t,
                    None => {
                        save(vm, fp, pc);
                        tri!(slow(vm, fp, lits, a, b, How::$how), pc, fp, vm)
                    }
                };
                if t == $when {
                    jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
                }
                next!(pc, fp, vm, lits, 2)
            }
        )*}
    };
}
comparing_jump! {
    JmpLess less Less true;
    JmpNotLess less Less false;
    JmpLessEqual less_equal LessEqual true;
    JmpNotLessEqual less_equal LessEqual false;
    JmpEqual equal Equal true;
    JmpNotEqual equal Equal false;
    JmpIdentical identical Identical true;
    JmpNotIdentical identical Identical false;
}

macro_rules! comparing_loop {
    ($($name:ident $fast:ident $how:ident $when:literal;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                let (a, b) = ((*pc).a(), (*pc).b());
                let t = match $fast(*operand::peek(fp, lits, a), *operand::peek(fp, lits, b)) {
                    Some(t) => t,
                    None => {
                        save(vm, fp, pc);
                        tri!(slow(vm, fp, lits, a, b, How::$how), pc, fp, vm)
                    }
                };
                if t != $when {
                    next!(pc, fp, vm, lits, 2)
                }
                if super::jumps::is_interrupted(vm) {
                    save(vm, fp, pc);
                    tri!(super::jumps::interrupted(vm), pc, fp, vm);
                }
                jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
            }
        )*}
    };
}
comparing_loop! {
    LoopLess less Less true;
    LoopNotLess less Less false;
    LoopLessEqual less_equal LessEqual true;
    LoopNotLessEqual less_equal LessEqual false;
    LoopEqual equal Equal true;
    LoopNotEqual equal Equal false;
    LoopIdentical identical Identical true;
    LoopNotIdentical identical Identical false;
}

op! {
    Spaceship(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let order = tri!(spaceship(vm, fp, lits, pc), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = Raw::int(order as i64);
        next!(pc, fp, vm, lits, 1)
    }

    BoolXor(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let t = tri!(bool_xor(vm, fp, lits, pc), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
        next!(pc, fp, vm, lits, 1)
    }

    Case(pc, fp, vm, lits) {
        let (x, y) = (*Frame::slot(fp, (*pc).b()), *operand::peek(fp, lits, (*pc).c()));
        let t = match equal(x, y) {
            Some(t) => t,
            None => {
                save(vm, fp, pc);
                tri!(case(vm, fp, lits, pc, false), pc, fp, vm)
            }
        };
        *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
        next!(pc, fp, vm, lits, 1)
    }

    CaseStrict(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let t = tri!(case(vm, fp, lits, pc, true), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
        next!(pc, fp, vm, lits, 1)
    }
}

#[inline(never)]
unsafe fn spaceship(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<i32> {
    // SAFETY: as the handler.
    unsafe {
        let x = operand::take_value(vm, fp, lits, (*pc).b())?;
        let y = operand::take_value(vm, fp, lits, (*pc).c())?;
        Vm::cx(vm).compare(&x, &y)
    }
}

#[inline(never)]
unsafe fn bool_xor(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<bool> {
    // SAFETY: as the handler.
    unsafe {
        let x = operand::take_value(vm, fp, lits, (*pc).b())?;
        let y = operand::take_value(vm, fp, lits, (*pc).c())?;
        Ok(super::jumps::truth(vm, x.raw())? != super::jumps::truth(vm, y.raw())?)
    }
}

#[inline(never)]
unsafe fn case(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, strict: bool) -> Res<bool> {
    // SAFETY: as the handlers; `b` stays, so a count of its own is taken.
    unsafe {
        let b = (*pc).b();
        let x = if operand::is_temp(fp, b) {
            (*Frame::slot(fp, b)).deref().copied().into_value()
        } else {
            operand::take_value(vm, fp, lits, b)?
        };
        let y = operand::take_value(vm, fp, lits, (*pc).c())?;
        if strict { Ok(rules::identical(&x, &y)) } else { Vm::cx(vm).loose_equals(&x, &y) }
    }
}
