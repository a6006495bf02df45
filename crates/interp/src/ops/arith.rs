//! Arithmetic and string concatenation. Int and float pairs are done in the handlers, everything else in slow paths of [`crate::arith`].

use super::calls::save;
use super::operand;
use crate::arith as slow;
use crate::frame::Frame;
use crate::vm::Vm;
use crate::{next, op, tri};
use jumbo_bytecode::NONE;
use jumbo_bytecode::unit::BinaryOp;
use jumbo_value::{PStr, Raw, Value, tag};

/// Results of the fast pairs; None: the slow path.
#[inline(always)]
fn add(x: Raw, y: Raw) -> Option<Raw> {
    if x.tag == tag::INT && y.tag == tag::INT {
        return (x.bits as i64).checked_add(y.bits as i64).map(Raw::int);
    }
    floats(x, y).map(|(a, b)| Raw::float(a + b))
}
#[inline(always)]
fn sub(x: Raw, y: Raw) -> Option<Raw> {
    if x.tag == tag::INT && y.tag == tag::INT {
        return (x.bits as i64).checked_sub(y.bits as i64).map(Raw::int);
    }
    floats(x, y).map(|(a, b)| Raw::float(a - b))
}
#[inline(always)]
fn mul(x: Raw, y: Raw) -> Option<Raw> {
    if x.tag == tag::INT && y.tag == tag::INT {
        return (x.bits as i64).checked_mul(y.bits as i64).map(Raw::int);
    }
    floats(x, y).map(|(a, b)| Raw::float(a * b))
}
#[inline(always)]
fn div(x: Raw, y: Raw) -> Option<Raw> {
    if x.tag == tag::INT && y.tag == tag::INT {
        let (a, b) = (x.bits as i64, y.bits as i64);
        if b == 0 || b == -1 {
            return None;
        }
        return Some(if a % b == 0 { Raw::int(a / b) } else { Raw::float(a as f64 / b as f64) });
    }
    let (a, b) = floats(x, y)?;
    if b == 0.0 { None } else { Some(Raw::float(a / b)) }
}
#[inline(always)]
fn modulo(x: Raw, y: Raw) -> Option<Raw> {
    let (a, b) = ints(x, y)?;
    if b == 0 || b == -1 { None } else { Some(Raw::int(a % b)) }
}
#[inline(always)]
fn bit_and(x: Raw, y: Raw) -> Option<Raw> {
    ints(x, y).map(|(a, b)| Raw::int(a & b))
}
#[inline(always)]
fn bit_or(x: Raw, y: Raw) -> Option<Raw> {
    ints(x, y).map(|(a, b)| Raw::int(a | b))
}
#[inline(always)]
fn bit_xor(x: Raw, y: Raw) -> Option<Raw> {
    ints(x, y).map(|(a, b)| Raw::int(a ^ b))
}
#[inline(always)]
fn shl(x: Raw, y: Raw) -> Option<Raw> {
    let (a, b) = ints(x, y)?;
    if (0..64).contains(&b) { Some(Raw::int(a << b)) } else { None }
}
#[inline(always)]
fn shr(x: Raw, y: Raw) -> Option<Raw> {
    let (a, b) = ints(x, y)?;
    if (0..64).contains(&b) { Some(Raw::int(a >> b)) } else { None }
}
#[inline(always)]
fn none(_: Raw, _: Raw) -> Option<Raw> {
    None
}

#[inline(always)]
fn ints(x: Raw, y: Raw) -> Option<(i64, i64)> {
    if x.tag == tag::INT && y.tag == tag::INT { Some((x.bits as i64, y.bits as i64)) } else { None }
}
#[inline(always)]
fn floats(x: Raw, y: Raw) -> Option<(f64, f64)> {
    match (x.tag, y.tag) {
        (tag::FLOAT, tag::FLOAT) => Some((x.as_float(), y.as_float())),
        (tag::INT, tag::FLOAT) => Some((x.bits as i64 as f64, y.as_float())),
        (tag::FLOAT, tag::INT) => Some((x.as_float(), y.bits as i64 as f64)),
        _ => None,
    }
}

macro_rules! binary {
    ($($name:ident $fast:ident $op:ident;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                let (x, y) = (*operand::peek(fp, lits, (*pc).b()), *operand::peek(fp, lits, (*pc).c()));
                if let Some(value) = $fast(x, y) {
                    *Frame::slot(fp, (*pc).a()) = value;
                    next!(pc, fp, vm, lits, 1)
                }
                save(vm, fp, pc);
                let value = tri!(slow_pair(vm, fp, lits, pc, BinaryOp::$op), pc, fp, vm);
                *Frame::slot(fp, (*pc).a()) = value;
                next!(pc, fp, vm, lits, 1)
            }
        )*}
    };
}
binary! {
    Add add Add;
    Sub sub Sub;
    Mul mul Mul;
    Div div Div;
    Mod modulo Mod;
    Pow none Pow;
    BitAnd bit_and BitAnd;
    BitOr bit_or BitOr;
    BitXor bit_xor BitXor;
    Shl shl Shl;
    Shr shr Shr;
    Concat none Concat;
}

macro_rules! register_register {
    ($($name:ident $fast:ident $op:ident;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                let (x, y) = (*Frame::slot(fp, (*pc).b()), *Frame::slot(fp, (*pc).c()));
                if let Some(value) = $fast(x, y) {
                    *Frame::slot(fp, (*pc).a()) = value;
                    next!(pc, fp, vm, lits, 1)
                }
                save(vm, fp, pc);
                let value = tri!(slow_pair(vm, fp, lits, pc, BinaryOp::$op), pc, fp, vm);
                *Frame::slot(fp, (*pc).a()) = value;
                next!(pc, fp, vm, lits, 1)
            }
        )*}
    };
}
register_register! {
    AddRR add Add;
    SubRR sub Sub;
    MulRR mul Mul;
}

macro_rules! register_literal {
    ($($name:ident $fast:ident $op:ident;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                let (x, y) = (*Frame::slot(fp, (*pc).b()), *lits.add((*pc).c() as usize));
                if let Some(value) = $fast(x, y) {
                    *Frame::slot(fp, (*pc).a()) = value;
                    next!(pc, fp, vm, lits, 1)
                }
                save(vm, fp, pc);
                let value = tri!(slow_literal(vm, fp, lits, pc, BinaryOp::$op), pc, fp, vm);
                *Frame::slot(fp, (*pc).a()) = value;
                next!(pc, fp, vm, lits, 1)
            }
        )*}
    };
}
register_literal! {
    AddRL add Add;
    SubRL sub Sub;
    MulRL mul Mul;
}

macro_rules! into_variable {
    ($($name:ident $fast:ident $op:ident;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                let (x, y) = (*operand::peek(fp, lits, (*pc).b()), *operand::peek(fp, lits, (*pc).c()));
                let slot = Frame::slot(fp, (*pc).a());
                if let Some(value) = $fast(x, y) {
                    if !(*slot).is_counted() {
                        *slot = value;
                        next!(pc, fp, vm, lits, 1)
                    }
                }
                save(vm, fp, pc);
                let value = tri!(slow_pair(vm, fp, lits, pc, BinaryOp::$op), pc, fp, vm);
                tri!(crate::types::assign(vm, slot, value), pc, fp, vm);
                next!(pc, fp, vm, lits, 1)
            }
        )*}
    };
}
into_variable! {
    AddV add Add;
    SubV sub Sub;
    MulV mul Mul;
    DivV div Div;
    ModV modulo Mod;
    BitAndV bit_and BitAnd;
    BitOrV bit_or BitOr;
    BitXorV bit_xor BitXor;
    ShlV shl Shl;
    ShrV shr Shr;
    ConcatV none Concat;
}

op! {
    BitNot(pc, fp, vm, lits) {
        save(vm, fp, pc);
        *Frame::slot(fp, (*pc).a()) = tri!(bit_not(vm, fp, lits, (*pc).b()), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    ConcatN(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let value = tri!(concat_n(vm, fp, (*pc).b(), (*pc).c()), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = value;
        next!(pc, fp, vm, lits, 1)
    }

    AssignConcat(pc, fp, vm, lits) {
        let slot = Raw::deref_slot(Frame::slot(fp, (*pc).a()));
        let b = (*pc).b();
        let piece = *operand::peek(fp, lits, b);
        if (*slot).tag == tag::STRING_COUNTED && piece.is_string() && (*pc).c() == NONE {
            append(slot, piece);
            operand::consume(fp, b);
            next!(pc, fp, vm, lits, 1)
        }
        save(vm, fp, pc);
        tri!(assign_op(vm, fp, lits, pc, BinaryOp::Concat, (*pc).c()), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    AssignOpCv(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let operator = BinaryOp::ALL[(*pc).c() as usize % BinaryOp::ALL.len()];
        tri!(assign_op(vm, fp, lits, pc, operator, (*pc.add(1)).0 as u16), pc, fp, vm);
        next!(pc, fp, vm, lits, 2)
    }

    IncInt(pc, fp, vm, lits) {
        let slot = Frame::slot(fp, (*pc).a());
        if (*slot).tag == tag::INT && (*slot).bits != i64::MAX as u64 {
            (*slot).bits = (*slot).bits.wrapping_add(1);
            next!(pc, fp, vm, lits, 1)
        }
        save(vm, fp, pc);
        tri!(slow::increment(vm, fp, (*pc).a(), slot, false), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    DecInt(pc, fp, vm, lits) {
        let slot = Frame::slot(fp, (*pc).a());
        if (*slot).tag == tag::INT && (*slot).bits != i64::MIN as u64 {
            (*slot).bits = (*slot).bits.wrapping_sub(1);
            next!(pc, fp, vm, lits, 1)
        }
        save(vm, fp, pc);
        tri!(slow::increment(vm, fp, (*pc).a(), slot, true), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    IncCv(pc, fp, vm, lits) {
        let slot = Frame::slot(fp, (*pc).a());
        let down = (*pc).b() != 0;
        let edge = if down { i64::MIN } else { i64::MAX };
        if (*slot).tag == tag::INT && (*slot).bits != edge as u64 {
            (*slot).bits = (*slot).bits.wrapping_add(if down { u64::MAX } else { 1 });
            next!(pc, fp, vm, lits, 1)
        }
        save(vm, fp, pc);
        tri!(slow::increment(vm, fp, (*pc).a(), slot, down), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    PreIncCv(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let slot = Frame::slot(fp, (*pc).b());
        tri!(slow::increment(vm, fp, (*pc).b(), slot, (*pc).c() != 0), pc, fp, vm);
        let value = (*slot).deref();
        value.add_ref();
        *Frame::slot(fp, (*pc).a()) = value;
        next!(pc, fp, vm, lits, 1)
    }

    PostIncCv(pc, fp, vm, lits) {
        let slot = Frame::slot(fp, (*pc).b());
        let down = (*pc).c() != 0;
        let edge = if down { i64::MIN } else { i64::MAX };
        let old = *slot;
        if old.tag == tag::INT && old.bits != edge as u64 {
            (*slot).bits = old.bits.wrapping_add(if down { u64::MAX } else { 1 });
            *Frame::slot(fp, (*pc).a()) = old;
            next!(pc, fp, vm, lits, 1)
        }
        save(vm, fp, pc);
        let before = tri!(post_increment(vm, fp, (*pc).b(), slot, down), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = before;
        next!(pc, fp, vm, lits, 1)
    }
}

#[inline(never)]
unsafe fn post_increment(vm: *mut Vm, fp: *mut Frame, register: u16, slot: *mut Raw, down: bool) -> jumbo_abi::Res<Raw> {
    // SAFETY: as the handler.
    unsafe {
        let old = (*slot).deref();
        let before = if old.is_undef() { Value::null() } else { old.copied().into_value() };
        slow::increment(vm, fp, register, slot, down)?;
        Ok(before.into_raw())
    }
}

#[inline(never)]
unsafe fn bit_not(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16) -> jumbo_abi::Res<Raw> {
    // SAFETY: as the handler.
    unsafe {
        let value = operand::take_value(vm, fp, lits, o)?;
        slow::bit_not(Vm::cx(vm), &value).map(Value::into_raw)
    }
}

/// Appends a string value to the string in the slot, in place when nobody else holds it.
#[inline]
unsafe fn append(slot: *mut Raw, piece: Raw) {
    // SAFETY: both are live strings; `bits` of a string value is a `PStr`.
    unsafe {
        let target = &mut *(&raw mut (*slot).bits).cast::<PStr>();
        if (*slot).bits == piece.bits {
            let copy = piece.as_str().clone();
            target.append(copy.as_bytes());
        } else {
            target.append(piece.as_str().as_bytes());
        }
        (*slot).tag = tag::STRING_COUNTED;
    }
}

#[inline(never)]
unsafe fn slow_pair(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const jumbo_bytecode::Insn, operator: BinaryOp) -> jumbo_abi::Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let (b, c) = ((*pc).b(), (*pc).c());
        let mut x = match operand::take_value(vm, fp, lits, b) {
            Ok(x) => x,
            Err(stop) => {
                operand::consume(fp, c);
                return Err(stop);
            }
        };
        if slow::reads_right_late(operator, &x) && c & jumbo_bytecode::LITERAL == 0 && !operand::is_temp(fp, c) {
            let shown = Value::from_raw(operand::take(fp, lits, c));
            x = slow::convert_left(Vm::cx(vm), operator, x, &shown)?;
        }
        let y = operand::take_value(vm, fp, lits, c)?;
        slow::binary(Vm::cx(vm), operator, x, y).map(Value::into_raw)
    }
}

#[inline(never)]
unsafe fn slow_literal(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const jumbo_bytecode::Insn, operator: BinaryOp) -> jumbo_abi::Res<Raw> {
    // SAFETY: as the handlers; the literal is not counted.
    unsafe {
        let x = operand::take_value(vm, fp, lits, (*pc).b())?;
        let y = Value::from_raw(*lits.add((*pc).c() as usize));
        slow::binary(Vm::cx(vm), operator, x, y).map(Value::into_raw)
    }
}

/// `$a op= b`.
#[inline(never)]
unsafe fn assign_op(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const jumbo_bytecode::Insn, operator: BinaryOp, result: u16) -> jumbo_abi::Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        let a = (*pc).a();
        let y = operand::take_value(vm, fp, lits, (*pc).b())?;
        let slot = Frame::slot(fp, a);
        if (*slot).is_undef() {
            operand::undefined(vm, fp, a)?;
            if (*slot).is_undef() {
                *slot = Raw::NULL;
            }
        }
        slow::assign_op(vm, slot, operator, y)?;
        if result != NONE {
            let value = (*slot).deref();
            value.add_ref();
            *Frame::slot(fp, result) = value;
        }
        Ok(())
    }
}

/// Concatenates consecutive temporaries with one allocation.
#[inline(never)]
unsafe fn concat_n(vm: *mut Vm, fp: *mut Frame, first: u16, n: u16) -> jumbo_abi::Res<Raw> {
    // SAFETY: the temporaries hold values; they are dead afterwards.
    unsafe {
        let slots = std::slice::from_raw_parts_mut(Frame::slot(fp, first).cast::<Value>(), n as usize);
        let mut total = 0usize;
        for i in 0..slots.len() {
            if slots[i].as_str().is_none() {
                let value = std::mem::take(&mut slots[i]);
                slots[i] = match Vm::cx(vm).to_string(&value) {
                    Ok(s) => Value::from(s),
                    Err(stop) => {
                        // Live ranges cover only what was alive before this instruction; these are consumed by it.
                        for s in slots.iter_mut() {
                            *s = Value::null();
                        }
                        return Err(stop);
                    }
                };
            }
            total = total.saturating_add(slots[i].as_str().map_or(0, PStr::len));
        }
        // The first piece grows in place when it is nobody else's.
        let mut builder = match std::mem::take(&mut slots[0]).into_raw() {
            raw if raw.tag == tag::STRING_COUNTED && raw.header().is_unique() && total < raw.as_str().len() * 2 => {
                PStr::from_ptr(raw.str_ptr())
            }
            raw => {
                let first = Value::from_raw(raw);
                let mut s = PStr::with_capacity(total);
                s.append(first.as_bytes().unwrap_or(b""));
                s
            }
        };
        for value in &mut slots[1..] {
            let piece = std::mem::take(value);
            builder.append(piece.as_bytes().unwrap_or(b""));
        }
        Ok(builder.into_raw())
    }
}
