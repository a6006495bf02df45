//! Arithmetic and string concatenation. Int and float pairs are done in the handlers, everything else in slow paths of [`crate::arith`].

use super::calls::save;
use super::operand;
use crate::arith as slow;
use crate::despite;
use crate::frame::Frame;
use crate::vm::Vm;
use crate::{cold, next, op, tri};
use jumbo_bytecode::NONE;
use jumbo_bytecode::unit::BinaryOp;
use jumbo_value::{PStr, Raw, Value, tag};

// The fast pairs: two ints, or two numbers of which one is a float. None: the slow path. Operands are behind pointers, so that a handler
// loads the second only when the first is a number.

macro_rules! int_pairs {
    ($($name:ident $checked:ident;)*) => {$(
        #[inline(always)]
        fn $name(x: i64, y: i64) -> Option<Raw> {
            x.$checked(y).map(Raw::int)
        }
    )*};
}
int_pairs! {
    add checked_add;
    sub checked_sub;
    mul checked_mul;
}
macro_rules! int_bits {
    ($($name:ident $op:tt;)*) => {$(
        #[inline(always)]
        fn $name(x: i64, y: i64) -> Option<Raw> {
            Some(Raw::int(x $op y))
        }
    )*};
}
int_bits! {
    bit_and &;
    bit_or |;
    bit_xor ^;
}
macro_rules! float_pairs {
    ($($name:ident $op:tt;)*) => {$(
        #[inline(always)]
        fn $name(x: f64, y: f64) -> Option<Raw> {
            Some(Raw::float(x $op y))
        }
    )*};
}
float_pairs! {
    add_floats +;
    sub_floats -;
    mul_floats *;
}
#[inline(always)]
fn div(x: i64, y: i64) -> Option<Raw> {
    if y == 0 || y == -1 {
        return None;
    }
    Some(if x % y == 0 { Raw::int(x / y) } else { Raw::float(x as f64 / y as f64) })
}
#[inline(always)]
fn div_floats(x: f64, y: f64) -> Option<Raw> {
    if y == 0.0 { None } else { Some(Raw::float(x / y)) }
}
#[inline(always)]
fn modulo(x: i64, y: i64) -> Option<Raw> {
    if y == 0 || y == -1 { None } else { Some(Raw::int(x % y)) }
}
#[inline(always)]
fn shl(x: i64, y: i64) -> Option<Raw> {
    if (0..64).contains(&y) { Some(Raw::int(x << y)) } else { None }
}
#[inline(always)]
fn shr(x: i64, y: i64) -> Option<Raw> {
    if (0..64).contains(&y) { Some(Raw::int(x >> y)) } else { None }
}
#[inline(always)]
fn none<T>(_: T, _: T) -> Option<Raw> {
    None
}

/// Both operands as floats when they are numbers; a handler has tried two ints before.
///
/// # Safety
/// Both point at live values.
#[inline(always)]
pub(super) unsafe fn floats(x: *const Raw, y: *const Raw) -> Option<(f64, f64)> {
    // SAFETY: as promised.
    unsafe {
        if (*x).tag == tag::FLOAT {
            if (*y).tag == tag::FLOAT {
                return Some(((*x).as_float(), (*y).as_float()));
            }
            if (*y).tag == tag::INT {
                return Some(((*x).as_float(), (*y).bits as i64 as f64));
            }
        } else if (*x).tag == tag::INT && (*y).tag == tag::FLOAT {
            return Some(((*x).bits as i64 as f64, (*y).as_float()));
        }
        None
    }
}

/// Both operands as floats when both are. An int beside a float is left to the cold path: the way of two floats is shorter for it.
///
/// # Safety
/// Both point at live values.
#[inline(always)]
unsafe fn two_floats(x: *const Raw, y: *const Raw) -> Option<(f64, f64)> {
    // SAFETY: as promised.
    unsafe { ((*x).tag == tag::FLOAT && (*y).tag == tag::FLOAT).then(|| ((*x).as_float(), (*y).as_float())) }
}

/// A float beside a literal, which is an int in the forms that have one.
///
/// # Safety
/// Both point at live values.
#[inline(always)]
unsafe fn float_and_int(x: *const Raw, y: *const Raw) -> Option<(f64, f64)> {
    // SAFETY: as promised.
    unsafe { ((*x).tag == tag::FLOAT).then(|| ((*x).as_float(), (*y).bits as i64 as f64)) }
}

/// An int one step on, or back. None: it is no int, or the last one.
#[inline(always)]
fn stepped(old: Raw, down: bool) -> Option<Raw> {
    if old.tag != tag::INT {
        return None;
    }
    let n = old.bits as i64;
    if down { n.checked_sub(1) } else { n.checked_add(1) }.map(Raw::int)
}

/// As [`stepped`], with the old value, of an int in a reference that no typed property has to be asked about.
#[inline(always)]
unsafe fn stepped_behind(slot: *mut Raw, down: bool) -> Option<(Raw, Raw)> {
    // SAFETY: a live variable.
    unsafe {
        let slot = Raw::untyped_slot(slot);
        if slot.is_null() { None } else { stepped(*slot, down).map(|new| (*slot, new)) }
    }
}

macro_rules! binary {
    ($($name:ident $x:ident $y:ident $ints:ident $pair:ident $floats:ident $op:ident;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                let (x, y) = ($x!(fp, lits, (*pc).b()), $y!(fp, lits, (*pc).c()));
                let to = $x!(to fp, (*pc).a());
                if (*x).tag == tag::INT && is_int!($y y) {
                    if let Some(value) = $ints((*x).bits as i64, (*y).bits as i64) {
                        *to = value;
                        next!(pc, fp, vm, lits, 1)
                    }
                } else if let Some((x, y)) = $pair(x, y)
                    && let Some(value) = $floats(x, y)
                {
                    *to = value;
                    next!(pc, fp, vm, lits, 1)
                }
                cold!(pc, fp, vm, lits, {
                    if let Some((x, y)) = floats($x!(fp, lits, (*pc).b()), $y!(fp, lits, (*pc).c()))
                        && let Some(value) = $floats(x, y)
                    {
                        *$x!(to fp, (*pc).a()) = value;
                        next!(pc, fp, vm, lits, 1)
                    }
                    save(vm, fp, pc);
                    let (b, c) = ($x!(operand (*pc).b()), $y!(operand (*pc).c()));
                    let value = tri!(slow_pair(vm, fp, lits, b, c, BinaryOp::$op), pc, fp, vm);
                    *$x!(to fp, (*pc).a()) = value;
                    next!(pc, fp, vm, lits, 1)
                })
            }
        )*}
    };
}
macro_rules! floats_alone {
    ($($name:ident $y:ident $op:tt;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                let (x, y) = ((*reg!(fp, lits, (*pc).b())).as_float(), (*$y!(fp, lits, (*pc).c())).as_float());
                *reg!(to fp, (*pc).a()) = Raw::float(x $op y);
                next!(pc, fp, vm, lits, 1)
            }
        )*}
    };
}
floats_alone! {
    AddFRR reg +;
    AddFRL lit +;
    SubFRR reg -;
    SubFRL lit -;
    MulFRR reg *;
    MulFRL lit *;
}

binary! {
    Add any any add floats add_floats Add;
    AddRR reg reg add two_floats add_floats Add;
    AddRL reg lit add float_and_int add_floats Add;
    Sub any any sub floats sub_floats Sub;
    SubRR reg reg sub two_floats sub_floats Sub;
    SubRL reg lit sub float_and_int sub_floats Sub;
    Mul any any mul floats mul_floats Mul;
    MulRR reg reg mul two_floats mul_floats Mul;
    MulRL reg lit mul float_and_int mul_floats Mul;
    Div any any div floats div_floats Div;
    Mod any any modulo floats none Mod;
    BitAnd any any bit_and floats none BitAnd;
    BitOr any any bit_or floats none BitOr;
    BitXor any any bit_xor floats none BitXor;
    Shl any any shl floats none Shl;
    Shr any any shr floats none Shr;
    Pow any any none floats none Pow;
}

macro_rules! into_variable {
    ($($name:ident $x:ident $y:ident $ints:ident $pair:ident $floats:ident $op:ident;)*) => {
        op! {$(
            $name(pc, fp, vm, lits) {
                let (x, y) = ($x!(fp, lits, (*pc).b()), $y!(fp, lits, (*pc).c()));
                let to = $x!(to fp, (*pc).a());
                if !(*to).is_counted() {
                    if (*x).tag == tag::INT && is_int!($y y) {
                        if let Some(value) = $ints((*x).bits as i64, (*y).bits as i64) {
                            *to = value;
                            next!(pc, fp, vm, lits, 1)
                        }
                    } else if let Some((x, y)) = $pair(x, y)
                        && let Some(value) = $floats(x, y)
                    {
                        *to = value;
                        next!(pc, fp, vm, lits, 1)
                    }
                }
                cold!(pc, fp, vm, lits, {
                    if let Some((x, y)) = floats($x!(fp, lits, (*pc).b()), $y!(fp, lits, (*pc).c()))
                        && let Some(value) = $floats(x, y)
                        && !(*$x!(to fp, (*pc).a())).is_counted()
                    {
                        *$x!(to fp, (*pc).a()) = value;
                        next!(pc, fp, vm, lits, 1)
                    }
                    save(vm, fp, pc);
                    let (b, c) = ($x!(operand (*pc).b()), $y!(operand (*pc).c()));
                    let value = tri!(slow_into(vm, fp, lits, $x!(operand (*pc).a()), b, c, BinaryOp::$op), pc, fp, vm);
                    tri!(crate::types::assign(vm, $x!(to fp, (*pc).a()), value), pc, fp, vm);
                    next!(pc, fp, vm, lits, 1)
                })
            }
        )*}
    };
}
into_variable! {
    AddV any any add floats add_floats Add;
    AddVRR reg reg add two_floats add_floats Add;
    AddVRL reg lit add float_and_int add_floats Add;
    SubV any any sub floats sub_floats Sub;
    SubVRR reg reg sub two_floats sub_floats Sub;
    SubVRL reg lit sub float_and_int sub_floats Sub;
    MulV any any mul floats mul_floats Mul;
    MulVRR reg reg mul two_floats mul_floats Mul;
    MulVRL reg lit mul float_and_int mul_floats Mul;
    DivV any any div floats div_floats Div;
    ModV any any modulo floats none Mod;
    BitAndV any any bit_and floats none BitAnd;
    BitOrV any any bit_or floats none BitOr;
    BitXorV any any bit_xor floats none BitXor;
    ShlV any any shl floats none Shl;
    ShrV any any shr floats none Shr;
}

op! {
    Concat(pc, fp, vm, lits) {
        let value = concat_plainly(fp, lits, (*pc).b(), (*pc).c());
        if value.tag != tag::UNDEF {
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            *Frame::slot(fp, (*pc).a()) = tri!(slow_pair(vm, fp, lits, (*pc).b(), (*pc).c(), BinaryOp::Concat), pc, fp, vm);
            next!(pc, fp, vm, lits, 1)
        })
    }

    ConcatV(pc, fp, vm, lits) {
        let value = concat_plainly(fp, lits, (*pc).b(), (*pc).c());
        let to = Frame::slot(fp, (*pc).a());
        if value.tag != tag::UNDEF && operand::is_plainly_overwritten(*to) {
            operand::overwrite_plainly(to, value);
            next!(pc, fp, vm, lits, 1)
        }
        save(vm, fp, pc);
        let value = if value.tag != tag::UNDEF {
            value
        } else {
            tri!(slow_into(vm, fp, lits, (*pc).a(), (*pc).b(), (*pc).c(), BinaryOp::Concat), pc, fp, vm)
        };
        tri!(crate::types::assign(vm, Frame::slot(fp, (*pc).a()), value), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

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
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            tri!(assign_op(vm, fp, lits, pc, BinaryOp::Concat, (*pc).c()), pc, fp, vm);
            next!(pc, fp, vm, lits, 1)
        })
    }

    AssignOpCv(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let operator = BinaryOp::ALL[(*pc).c() as usize % BinaryOp::ALL.len()];
        tri!(assign_op(vm, fp, lits, pc, operator, (*pc.add(1)).0 as u16), pc, fp, vm);
        next!(pc, fp, vm, lits, 2)
    }

    IncInt(pc, fp, vm, lits) {
        let slot = reg!(to fp, (*pc).a());
        if (*slot).tag == tag::INT
            && let Some(n) = ((*slot).bits as i64).checked_add(1)
        {
            (*slot).bits = n as u64;
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            let slot = reg!(to fp, (*pc).a());
            save(vm, fp, pc);
            tri!(slow::increment(vm, fp, reg!(operand (*pc).a()), slot, false), pc, fp, vm);
            next!(pc, fp, vm, lits, 1)
        })
    }

    DecInt(pc, fp, vm, lits) {
        let slot = reg!(to fp, (*pc).a());
        if (*slot).tag == tag::INT
            && let Some(n) = ((*slot).bits as i64).checked_sub(1)
        {
            (*slot).bits = n as u64;
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            let slot = reg!(to fp, (*pc).a());
            save(vm, fp, pc);
            tri!(slow::increment(vm, fp, reg!(operand (*pc).a()), slot, true), pc, fp, vm);
            next!(pc, fp, vm, lits, 1)
        })
    }

    IncCv(pc, fp, vm, lits) {
        let slot = Frame::slot(fp, (*pc).a());
        if let Some(new) = stepped(*slot, (*pc).b() != 0) {
            *slot = new;
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            let slot = Frame::slot(fp, (*pc).a());
            let down = (*pc).b() != 0;
            if let Some((_, new)) = stepped_behind(slot, down) {
                *Raw::deref_slot(slot) = new;
                next!(pc, fp, vm, lits, 1)
            }
            save(vm, fp, pc);
            tri!(slow::increment(vm, fp, (*pc).a(), slot, down), pc, fp, vm);
            next!(pc, fp, vm, lits, 1)
        })
    }

    PreIncCv(pc, fp, vm, lits) {
        let slot = Frame::slot(fp, (*pc).b());
        if let Some(new) = stepped(*slot, (*pc).c() != 0) {
            *slot = new;
            *Frame::slot(fp, (*pc).a()) = new;
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            let slot = Frame::slot(fp, (*pc).b());
            if let Some((_, new)) = stepped_behind(slot, (*pc).c() != 0) {
                *Raw::deref_slot(slot) = new;
                *Frame::slot(fp, (*pc).a()) = new;
                next!(pc, fp, vm, lits, 1)
            }
            save(vm, fp, pc);
            let value = tri!(pre_increment(vm, fp, (*pc).b(), slot, (*pc).c() != 0), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 1)
        })
    }

    PostIncCv(pc, fp, vm, lits) {
        let slot = Frame::slot(fp, (*pc).b());
        let old = *slot;
        if let Some(new) = stepped(old, (*pc).c() != 0) {
            *slot = new;
            *Frame::slot(fp, (*pc).a()) = old;
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            let slot = Frame::slot(fp, (*pc).b());
            let down = (*pc).c() != 0;
            if let Some((old, new)) = stepped_behind(slot, down) {
                *Raw::deref_slot(slot) = new;
                *Frame::slot(fp, (*pc).a()) = old;
                next!(pc, fp, vm, lits, 1)
            }
            save(vm, fp, pc);
            let before = tri!(post_increment(vm, fp, (*pc).b(), slot, down), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = before;
            next!(pc, fp, vm, lits, 1)
        })
    }
}

#[inline(never)]
unsafe fn pre_increment(vm: *mut Vm, fp: *mut Frame, register: u16, slot: *mut Raw, down: bool) -> jumbo_abi::Res<Raw> {
    // SAFETY: as the handler.
    unsafe {
        match slow::step(vm, fp, register, slot, down)? {
            Some(stays) => Ok(stays.into_raw()),
            None => Ok((*slot).deref().copied()),
        }
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
        let cx = Vm::cx(vm);
        let (value, thrown) = despite::or_null(operand::take_value(vm, fp, lits, o))?;
        match thrown {
            None => slow::bit_not(cx, &value).map(Value::into_raw),
            Some(stop) => {
                despite::despite(cx, |cx| slow::bit_not(cx, &value));
                Err(stop)
            }
        }
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

/// The text of a string or an int, that of the int in `buffer`; None: it is something else.
#[inline(always)]
unsafe fn plain_text(value: Raw, buffer: &mut [u8; 20]) -> Option<&[u8]> {
    // SAFETY: the value is live for as long as the text is used.
    unsafe {
        if value.is_string() {
            let text = value.as_str().as_bytes();
            return Some(std::slice::from_raw_parts(text.as_ptr(), text.len()));
        }
        (value.tag == tag::INT).then(|| jumbo_value::convert::write_int(buffer, value.as_int()))
    }
}

/// `b . c` of strings and ints; UNDEF: it is something else, and nothing was done.
#[inline(never)]
unsafe fn concat_plainly(fp: *mut Frame, lits: *const Raw, b: u16, c: u16) -> Raw {
    // SAFETY: as the handlers.
    unsafe {
        let (x, y) = (operand::read(fp, lits, b), operand::read(fp, lits, c));
        let (mut left_digits, mut right_digits) = ([0; 20], [0; 20]);
        let (Some(left), Some(right)) = (plain_text(x, &mut left_digits), plain_text(y, &mut right_digits)) else { return Raw::UNDEF };
        let is_own = x.tag == tag::STRING_COUNTED && x.header().is_unique() && operand::is_temp(fp, b) && (*Frame::slot(fp, b)).tag != tag::REF;
        let result = if is_own {
            // The left one grows in place when nobody else has it.
            let mut whole = PStr::from_ptr(x.str_ptr());
            whole.append(right);
            whole
        } else {
            let whole = PStr::concat(&[left, right]);
            operand::consume(fp, b);
            whole
        };
        operand::consume(fp, c);
        result.into_raw()
    }
}

#[inline(never)]
unsafe fn slow_pair(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, b: u16, c: u16, operator: BinaryOp) -> jumbo_abi::Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let x = match operand::take_value(vm, fp, lits, b) {
            Ok(x) => x,
            Err(stop) => {
                let y = Value::from_raw(operand::take(fp, lits, c));
                return Err(despite::operate(Vm::cx(vm), stop, operator, Value::null(), y));
            }
        };
        // What is undefined is told of before anything is converted.
        if c & jumbo_bytecode::LITERAL == 0 && !operand::is_temp(fp, c) && !(*Frame::slot(fp, c)).is_undef() {
            let late = slow::reads_right_late(operator, &x, &Value::from_raw_borrowed(*Frame::slot(fp, c)));
            if late {
                let shown = (*Frame::slot(fp, c)).copied().into_value();
                let left = slow::convert_left(Vm::cx(vm), operator, &x, &shown)?;
                drop(shown);
                let result = match operand::take_value(vm, fp, lits, c) {
                    Ok(y) => slow::binary_converted(Vm::cx(vm), operator, left, &x, y),
                    Err(stop) => Err(despite::operate(Vm::cx(vm), stop, operator, left, Value::null())),
                };
                return operand::destructed(vm, result).map(Value::into_raw);
            }
        }
        let y = match operand::take_value(vm, fp, lits, c) {
            Ok(y) => y,
            Err(stop) => return Err(despite::operate(Vm::cx(vm), stop, operator, x, Value::null())),
        };
        let result = slow::binary(Vm::cx(vm), operator, x, y);
        operand::destructed(vm, result).map(Value::into_raw)
    }
}

/// `$a = b op c`, where `$a op= c` is `$a = $a op c`: an undefined `$a` is told of after `c` then, and is null whatever happens; of an
/// undefined `c` a handler's exception does not keep `$a` from being written.
#[inline(never)]
unsafe fn slow_into(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, a: u16, b: u16, c: u16, operator: BinaryOp) -> jumbo_abi::Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let is_undef = |o: u16| o & jumbo_bytecode::LITERAL == 0 && !operand::is_temp(fp, o) && (*Frame::slot(fp, o)).is_undef();
        if a != b {
            return slow_pair(vm, fp, lits, b, c, operator);
        }
        if !is_undef(a) && !is_undef(c) {
            let result = slow_pair(vm, fp, lits, b, c, operator);
            return result.map_err(|stop| despite::failed_reference(vm, Frame::slot(fp, a), stop));
        }
        let (y, mut thrown) = despite::or_null(operand::take_value(vm, fp, lits, c))?;
        if is_undef(a) {
            let told = undefined_target(vm, fp, a, thrown.is_none());
            thrown = thrown.or(told.err());
        }
        if let Some(stop) = thrown {
            return Err(despite::assign_op(vm, Frame::slot(fp, a), stop, operator, y));
        }
        let x = operand::take_value(vm, fp, lits, a)?;
        let result = slow::binary(Vm::cx(vm), operator, x, y);
        operand::destructed(vm, result).map(Value::into_raw)
    }
}

/// An undefined variable that is read to be written is null from then on, whether or not a handler throws; it is not `told` of when
/// something was thrown before.
unsafe fn undefined_target(vm: *mut Vm, fp: *mut Frame, register: u16, told: bool) -> jumbo_abi::Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        let result = if told { operand::undefined(vm, fp, register) } else { Ok(()) };
        let slot = Frame::slot(fp, register);
        if (*slot).is_undef() {
            *slot = Raw::NULL;
        }
        result
    }
}

/// `$a op= b`.
#[inline(never)]
unsafe fn assign_op(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const jumbo_bytecode::Insn, operator: BinaryOp, result: u16) -> jumbo_abi::Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        let a = (*pc).a();
        let (y, mut thrown) = despite::or_null(operand::take_value(vm, fp, lits, (*pc).b()))?;
        let slot = Frame::slot(fp, a);
        if (*slot).is_undef() {
            let told = undefined_target(vm, fp, a, thrown.is_none());
            thrown = thrown.or(told.err());
        }
        if let Some(stop) = thrown {
            return Err(despite::assign_op(vm, slot, stop, operator, y));
        }
        let done = if operator == BinaryOp::Concat && (*pc).b() == a {
            slow::append_itself(vm, slot, y)
        } else {
            slow::assign_op(vm, slot, operator, y)
        };
        operand::destructed(vm, done)?;
        let slot = Frame::slot(fp, a);
        if result != NONE {
            let value = (*slot).deref();
            value.add_ref();
            *Frame::slot(fp, result) = value;
        }
        Ok(())
    }
}

/// [`concat_n`] of a few strings and ints; None: it is something else, or the first piece is one to grow.
///
/// # Safety
/// The slots are temporaries, which are dead when this gives a value.
unsafe fn concat_few(slots: &[Value]) -> Option<Raw> {
    const FEW: usize = 6;
    // SAFETY: the temporaries hold values; they are dead afterwards.
    unsafe {
        let mut digits = [[0; 20]; FEW];
        let mut pieces = [&[][..]; FEW];
        let pieces = pieces.get_mut(..slots.len())?;
        let mut total = 0;
        for ((slot, digits), piece) in slots.iter().zip(&mut digits).zip(&mut *pieces) {
            *piece = plain_text(slot.raw(), digits)?;
            total += piece.len();
        }
        let first = slots.first()?.raw();
        if first.tag == tag::STRING_COUNTED && first.header().is_unique() && total < pieces[0].len() * 2 {
            return None;
        }
        let whole = PStr::concat(pieces);
        slots.iter().for_each(|slot| slot.raw().release());
        Some(whole.into_raw())
    }
}

/// Concatenates consecutive temporaries with one allocation.
#[inline(never)]
unsafe fn concat_n(vm: *mut Vm, fp: *mut Frame, first: u16, n: u16) -> jumbo_abi::Res<Raw> {
    // SAFETY: the temporaries hold values; they are dead afterwards.
    unsafe {
        let slots = std::slice::from_raw_parts_mut(Frame::slot(fp, first).cast::<Value>(), n as usize);
        if let Some(whole) = concat_few(slots) {
            return Ok(whole);
        }
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
        operand::destructed(vm, Ok(builder)).map(PStr::into_raw)
    }
}
