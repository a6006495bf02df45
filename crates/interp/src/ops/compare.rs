//! Comparisons and comparing jumps.

use super::calls::save;
use super::operand;
use crate::frame::Frame;
use crate::vm::Vm;
use crate::{cold, jump, next, op, tri};
use jumbo_abi::Res;
use jumbo_bytecode::Insn;
use jumbo_value::number::starts_like_number;
use jumbo_value::{PStr, Raw, tag};

macro_rules! number_pairs {
    ($($name:ident $op:tt;)*) => {$(
        /// Two numbers compared; None: not two numbers.
        #[inline(always)]
        unsafe fn $name(x: *const Raw, y: *const Raw) -> Option<bool> {
            // SAFETY: both point at live values.
            unsafe {
                if (*x).tag == tag::INT && (*y).tag == tag::INT {
                    return Some(((*x).bits as i64) $op (*y).bits as i64);
                }
                std::hint::cold_path();
                super::arith::floats(x, y).map(|(x, y)| x $op y)
            }
        }
    )*};
}
number_pairs! {
    less <;
    less_equal <=;
    equal ==;
    not_equal !=;
}

macro_rules! beside_int {
    ($($name:ident $from:ident $op:tt;)*) => {$(
        /// A number compared with an int on the right.
        #[inline(always)]
        unsafe fn $name(x: *const Raw, y: *const Raw) -> Option<bool> {
            // SAFETY: both point at live values.
            unsafe {
                let y = (*y).bits as i64;
                match (*x).tag {
                    tag::INT => Some(((*x).bits as i64) $op y),
                    tag::FLOAT => Some((*x).as_float() $op y as f64),
                    _ => None,
                }
            }
        }
        /// A number compared with an int on the left.
        #[inline(always)]
        unsafe fn $from(x: *const Raw, y: *const Raw) -> Option<bool> {
            // SAFETY: both point at live values.
            unsafe {
                let x = (*x).bits as i64;
                match (*y).tag {
                    tag::INT => Some(x $op (*y).bits as i64),
                    tag::FLOAT => Some((x as f64) $op (*y).as_float()),
                    _ => None,
                }
            }
        }
    )*};
}
beside_int! {
    less_than_int int_less <;
    at_most_int int_at_most <=;
}

/// Kinds without a payload, and numbers; undefined variables and references take the slow path.
#[inline(always)]
unsafe fn identical(x: *const Raw, y: *const Raw) -> Option<bool> {
    // SAFETY: both point at live values.
    unsafe {
        let (x, y) = (*x, *y);
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
}
#[inline(always)]
unsafe fn not_identical(x: *const Raw, y: *const Raw) -> Option<bool> {
    // SAFETY: as promised.
    unsafe { identical(x, y).map(|e| !e) }
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

impl How {
    /// Is identity compared, or equality? None: neither.
    #[inline(always)]
    fn is_strict(self) -> Option<bool> {
        match self {
            How::Identical | How::NotIdentical => Some(true),
            How::Equal | How::NotEqual => Some(false),
            How::Less | How::LessEqual => None,
        }
    }
    /// Is equality asked for, rather than its contrary?
    #[inline(always)]
    fn is_positive(self) -> bool {
        matches!(self, How::Identical | How::Equal)
    }
}

#[inline(never)]
unsafe fn slow(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, b: u16, c: u16, how: How) -> Res<bool> {
    // SAFETY: as the handlers.
    unsafe {
        if matches!(how, How::Identical | How::NotIdentical) {
            let (x, y) = (*operand::peek(fp, lits, b), *operand::peek(fp, lits, c));
            let (x, y) = (x.deref(), y.deref());
            if x.kind_byte() != y.kind_byte() && x.tag != tag::UNDEF && y.tag != tag::UNDEF {
                operand::consume(fp, b);
                operand::consume(fp, c);
                return operand::destructed(vm, Ok(matches!(how, How::NotIdentical)));
            }
        }
        let x = operand::take_value(vm, fp, lits, b)?;
        let y = operand::take_value(vm, fp, lits, c)?;
        let cx = Vm::cx(vm);
        let answer = match how {
            How::Identical => cx.identical(&x, &y),
            How::NotIdentical => cx.identical(&x, &y).map(|e| !e),
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

/// Comparisons for equality of two strings, and `===` and `!==` of two kinds with which nothing dies but strings; None: it is something else.
#[inline(always)]
unsafe fn of_strings_or_kinds(fp: *mut Frame, lits: *const Raw, b: u16, c: u16, how: How) -> Option<bool> {
    // SAFETY: as the handlers.
    unsafe {
        let (x, y) = (*operand::peek(fp, lits, b), *operand::peek(fp, lits, c));
        let same = same_strings_or_kinds(x, y, how.is_strict()?, |x, y| Some(x == y))?;
        let may_die = |v: Raw, o: u16| v.is_counted() && !v.is_string() && operand::is_temp(fp, o);
        if may_die(x, b) || may_die(y, c) {
            return None;
        }
        operand::consume(fp, b);
        operand::consume(fp, c);
        Some(same == how.is_positive())
    }
}

/// As [`of_strings_or_kinds`] where nothing is released and nothing is called: two strings of which the longer differ in length, or two kinds. None: it is
/// something else.
#[inline(always)]
unsafe fn plainly(fp: *mut Frame, lits: *const Raw, b: u16, c: u16, how: How) -> Option<bool> {
    // SAFETY: as the handlers; the strings are live.
    unsafe {
        let (x, y) = (*operand::peek(fp, lits, b), *operand::peek(fp, lits, c));
        let same = same_plainly(x, y, how.is_strict()?)?;
        if x.is_counted() && operand::is_temp(fp, b) || y.is_counted() && operand::is_temp(fp, c) {
            return None;
        }
        Some(same == how.is_positive())
    }
}

/// [`same_strings_or_kinds`] without a call.
#[inline(always)]
unsafe fn same_plainly(x: Raw, y: Raw, is_strict: bool) -> Option<bool> {
    // SAFETY: the values are live.
    unsafe { same_strings_or_kinds(x, y, is_strict, |x, y| jumbo_value::string::same_short(x.as_ptr(), y.as_ptr())) }
}

/// Are two strings equal, or two values identical that differ in kind? None: it is something else, or not told by `same`.
#[inline(always)]
unsafe fn same_strings_or_kinds(x: Raw, y: Raw, is_strict: bool, same: impl FnOnce(&PStr, &PStr) -> Option<bool>) -> Option<bool> {
    // SAFETY: the values are live.
    unsafe {
        if x.is_string() && y.is_string() {
            let (x, y) = (x.as_str(), y.as_str());
            return match same(x, y)? {
                // Two numeric strings may be equal as numbers.
                false if !is_strict && starts_like_number(x) && starts_like_number(y) => None,
                same => Some(same),
            };
        }
        let is_plain = |v: Raw| v.tag != tag::UNDEF && v.tag != tag::REF;
        if is_strict && x.kind_byte() != y.kind_byte() && is_plain(x) && is_plain(y) { Some(false) } else { None }
    }
}

/// `===` and `!==` of variables and literals that need no more than to look through references at kinds and numbers; None: they do.
/// `told`: the first one may be undefined, and then is not the second.
#[inline]
unsafe fn through_references(fp: *mut Frame, lits: *const Raw, b: u16, c: u16, how: How, told: bool) -> Option<bool> {
    // SAFETY: as the handlers.
    unsafe {
        if !matches!(how, How::Identical | How::NotIdentical) || operand::is_temp_or_this(fp, b) || operand::is_temp_or_this(fp, c) {
            return None;
        }
        let (x, y) = (operand::read(fp, lits, b), operand::read(fp, lits, c));
        if x.tag == tag::UNDEF && told {
            return Some(matches!(how, How::NotIdentical));
        }
        if x.tag == tag::UNDEF || y.tag == tag::UNDEF {
            return told.then_some(matches!(how, How::NotIdentical));
        }
        let same = if x.kind_byte() == y.kind_byte() { identical(&x, &y)? } else { false };
        Some(same == matches!(how, How::Identical))
    }
}

macro_rules! comparison {
    ($($name:ident $fast:ident $how:ident;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                let (b, c) = ((*pc).b(), (*pc).c());
                if let Some(t) = $fast(operand::peek(fp, lits, b), operand::peek(fp, lits, c)) {
                    *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
                    next!(pc, fp, vm, lits, 1)
                }
                if let Some(t) = plainly(fp, lits, b, c, How::$how) {
                    *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
                    next!(pc, fp, vm, lits, 1)
                }
                cold!(pc, fp, vm, lits, {
                    let quick = of_strings_or_kinds(fp, lits, (*pc).b(), (*pc).c(), How::$how);
                    let t = match quick.or_else(|| through_references(fp, lits, (*pc).b(), (*pc).c(), How::$how, false)) {
                        Some(t) => t,
                        None => {
                            save(vm, fp, pc);
                            tri!(slow(vm, fp, lits, (*pc).b(), (*pc).c(), How::$how), pc, fp, vm)
                        }
                    };
                    *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
                    next!(pc, fp, vm, lits, 1)
                })
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
    ($($name:ident $x:ident $y:ident $fast:ident $how:ident $when:literal;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                if let Some(t) = $fast($x!(fp, lits, (*pc).a()), $y!(fp, lits, (*pc).b())) {
                    if t == $when {
                        jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
                    }
                    next!(pc, fp, vm, lits, 2)
                }
                if let Some(t) = plainly(fp, lits, $x!(operand (*pc).a()), $y!(operand (*pc).b()), How::$how) {
                    if t == $when {
                        jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
                    }
                    next!(pc, fp, vm, lits, 2)
                }
                cold!(pc, fp, vm, lits, {
                    let (a, b) = ($x!(operand (*pc).a()), $y!(operand (*pc).b()));
                    let quick = of_strings_or_kinds(fp, lits, a, b, How::$how);
                    let t = match quick.or_else(|| through_references(fp, lits, a, b, How::$how, (*pc).c() != 0)) {
                        Some(t) => t,
                        None if (*pc).c() != 0 && (*operand::peek(fp, lits, a)).is_undef() => !$when,
                        None => {
                            save(vm, fp, pc);
                            tri!(slow(vm, fp, lits, a, b, How::$how), pc, fp, vm)
                        }
                    };
                    if t == $when {
                        jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
                    }
                    next!(pc, fp, vm, lits, 2)
                })
            }
        )*}
    };
}
comparing_jump! {
    JmpLess any any less Less true;
    JmpNotLess any any less Less false;
    JmpLessEqual any any less_equal LessEqual true;
    JmpNotLessEqual any any less_equal LessEqual false;
    JmpEqual any any equal Equal true;
    JmpNotEqual any any equal Equal false;
    JmpIdentical any any identical Identical true;
    JmpNotIdentical any any identical Identical false;
    JmpLessRR reg reg less Less true;
    JmpNotLessRR reg reg less Less false;
    JmpLessEqualRR reg reg less_equal LessEqual true;
    JmpNotLessEqualRR reg reg less_equal LessEqual false;
    JmpLessRL reg lit less_than_int Less true;
    JmpNotLessRL reg lit less_than_int Less false;
    JmpLessEqualRL reg lit at_most_int LessEqual true;
    JmpNotLessEqualRL reg lit at_most_int LessEqual false;
    JmpLessLR lit reg int_less Less true;
    JmpNotLessLR lit reg int_less Less false;
    JmpLessEqualLR lit reg int_at_most LessEqual true;
    JmpNotLessEqualLR lit reg int_at_most LessEqual false;
    JmpEqualRL reg lit equal Equal true;
    JmpNotEqualRL reg lit equal Equal false;
    JmpIdenticalRL reg lit identical Identical true;
    JmpNotIdenticalRL reg lit identical Identical false;
}

macro_rules! comparing_loop {
    ($($name:ident $x:ident $y:ident $fast:ident $how:ident $when:literal;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                if let Some(t) = $fast($x!(fp, lits, (*pc).a()), $y!(fp, lits, (*pc).b())) {
                    if t != $when {
                        next!(pc, fp, vm, lits, 2)
                    }
                    if !super::jumps::is_interrupted(vm) {
                        jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
                    }
                }
                // The fast pairs are not consumed by a comparison, so it may be made again.
                cold!(pc, fp, vm, lits, {
                    save(vm, fp, pc);
                    let (a, b) = ($x!(operand (*pc).a()), $y!(operand (*pc).b()));
                    if tri!(slow(vm, fp, lits, a, b, How::$how), pc, fp, vm) != $when {
                        next!(pc, fp, vm, lits, 2)
                    }
                    if super::jumps::is_interrupted(vm) {
                        tri!(super::jumps::interrupted(vm), pc, fp, vm);
                    }
                    jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
                })
            }
        )*}
    };
}
comparing_loop! {
    LoopLess any any less Less true;
    LoopNotLess any any less Less false;
    LoopLessEqual any any less_equal LessEqual true;
    LoopNotLessEqual any any less_equal LessEqual false;
    LoopEqual any any equal Equal true;
    LoopNotEqual any any equal Equal false;
    LoopIdentical any any identical Identical true;
    LoopNotIdentical any any identical Identical false;
    LoopLessRR reg reg less Less true;
    LoopLessRL reg lit less_than_int Less true;
    LoopLessEqualRR reg reg less_equal LessEqual true;
    LoopLessEqualRL reg lit at_most_int LessEqual true;
    LoopLessLR lit reg int_less Less true;
    LoopLessEqualLR lit reg int_at_most LessEqual true;
}

macro_rules! counting_loop {
    ($($name:ident $limit:ident $op:tt;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                let slot = reg!(to fp, (*pc).a());
                if (*slot).tag == tag::INT
                    && let Some(n) = ((*slot).bits as i64).checked_add(1)
                {
                    (*slot).bits = n as u64;
                    let limit = $limit!(fp, lits, (*pc).b());
                    if is_int!($limit limit) {
                        if !(n $op (*limit).bits as i64) {
                            next!(pc, fp, vm, lits, 3)
                        }
                        if !super::jumps::is_interrupted(vm) {
                            let test = pc.add(1);
                            jump!(test, fp, vm, lits, (*test.add(1)).0 as u32 as i32)
                        }
                    }
                    // The comparison that stands behind this instruction does the rest.
                    next!(pc, fp, vm, lits, 1)
                }
                return super::arith::IncInt(pc, fp, vm, lits);
            }
        )*}
    };
}
counting_loop! {
    IncLoopLessRR reg <;
    IncLoopLessRL lit <;
    IncLoopLessEqualRR reg <=;
    IncLoopLessEqualRL lit <=;
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
        let (x, y) = (Frame::slot(fp, (*pc).b()), operand::peek(fp, lits, (*pc).c()));
        if let Some(t) = equal(x, y).or_else(|| case_of_kinds(fp, *x, *y, (*pc).c(), false)) {
            *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let t = tri!(case(vm, fp, lits, pc, false), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
            next!(pc, fp, vm, lits, 1)
        })
    }

    CaseStrict(pc, fp, vm, lits) {
        let (x, y) = (Frame::slot(fp, (*pc).b()), operand::peek(fp, lits, (*pc).c()));
        if let Some(t) = identical(x, y).or_else(|| case_of_kinds(fp, *x, *y, (*pc).c(), true)) {
            *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
        save(vm, fp, pc);
        let t = tri!(case(vm, fp, lits, pc, true), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
        next!(pc, fp, vm, lits, 1)
        })
    }
}

/// A case that is told by kinds, or by two strings, where nothing is released: the subject `x` stays.
#[inline(always)]
unsafe fn case_of_kinds(fp: *mut Frame, x: Raw, y: Raw, c: u16, is_strict: bool) -> Option<bool> {
    // SAFETY: as the handlers.
    unsafe {
        if y.is_counted() && operand::is_temp(fp, c) {
            return None;
        }
        same_plainly(x, y, is_strict)
    }
}

#[inline(never)]
unsafe fn spaceship(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<i32> {
    // SAFETY: as the handler.
    unsafe {
        let x = operand::take_value(vm, fp, lits, (*pc).b())?;
        let y = operand::take_value(vm, fp, lits, (*pc).c())?;
        let order = Vm::cx(vm).compare(&x, &y);
        drop((x, y));
        operand::destructed(vm, order)
    }
}

#[inline(never)]
unsafe fn bool_xor(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<bool> {
    // SAFETY: as the handler.
    unsafe {
        let x = operand::take_value(vm, fp, lits, (*pc).b())?;
        let y = operand::take_value(vm, fp, lits, (*pc).c())?;
        let different = super::jumps::truth(vm, x.raw())? != super::jumps::truth(vm, y.raw())?;
        drop((x, y));
        operand::destructed(vm, Ok(different))
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
        let answer = if strict { Vm::cx(vm).identical(&x, &y) } else { Vm::cx(vm).loose_equals(&x, &y) };
        drop((x, y));
        operand::destructed(vm, answer)
    }
}
