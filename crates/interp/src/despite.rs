//! What an instruction does in spite of an exception that an error handler has thrown in the middle of it.
//!
//! PHP's instructions look at exceptions when they are through: where a handler throws because a variable is undefined, the instruction
//! goes on with null, and what it does then is seen afterwards: `$a %= $undefined` divides by zero on top (the handler's exception becomes
//! the previous one), `$object->p = $undefined` has written null. Until the end of the instruction no PHP code runs, and a further
//! diagnostic is not told but fails what it is about.

use crate::arith;
use crate::errors::{self, Handlers};
use crate::types::{self, TypeSource};
use crate::vm::Vm;
use jumbo_abi::{Cx, Res, Stop};
use jumbo_bytecode::types::mask;
use jumbo_bytecode::unit::BinaryOp;
use jumbo_value::{Raw, Value};

/// Runs the rest of an instruction in which something was thrown. The caller sees to it that it calls no PHP code.
pub fn despite<T>(cx: &mut Cx, run: impl FnOnce(&mut Cx) -> Res<T>) -> Option<T> {
    cx.state::<Handlers>().despite += 1;
    let result = run(cx);
    cx.state::<Handlers>().despite -= 1;
    result.ok()
}

/// Is the rest of such an instruction running? Then diagnostics fail silently.
pub fn is_despite(cx: &mut Cx) -> bool {
    cx.state::<Handlers>().despite > 0
}

/// Runs something in spite of an exception, with which the instruction ends: a warning, output. PHP code may run, and throw on top.
#[cold]
pub fn meanwhile(cx: &mut Cx, run: impl FnOnce(&mut Cx) -> Res<()>) -> Stop {
    let thrown = cx.exception.take();
    match (run(cx), thrown) {
        (Ok(()), thrown) => {
            cx.exception = thrown;
            Stop::Thrown
        }
        (Err(Stop::Thrown), Some(before)) => {
            if let Some(new) = cx.exception.clone() {
                errors::chain(cx, &new, before);
            }
            Stop::Thrown
        }
        (Err(stop), _) => stop,
    }
}

/// Does the operator go on with null for an operand whose reading has thrown? Concatenation does not, and objects would be asked.
fn goes_on(stop: Stop, op: BinaryOp, x: &Value, y: &Value) -> bool {
    stop == Stop::Thrown && op != BinaryOp::Concat && !x.deref().is_object() && !y.deref().is_object()
}

/// `x op y` after `stop`; its result is nobody's, but it may throw something more.
#[cold]
pub fn operate(cx: &mut Cx, stop: Stop, op: BinaryOp, x: Value, y: Value) -> Stop {
    if goes_on(stop, op, &x, &y) {
        despite(cx, |cx| arith::binary(cx, op, x, y));
    }
    stop
}

/// `*slot op= y` after `stop`.
///
/// # Safety
/// As [`arith::assign_op`].
#[cold]
pub unsafe fn assign_op(vm: *mut Vm, slot: *mut Raw, stop: Stop, op: BinaryOp, y: Value) -> Stop {
    // SAFETY: as promised.
    unsafe {
        if goes_on(stop, op, (*Raw::deref_slot(slot)).as_value(), &y) {
            despite(Vm::cx(vm), |_| arith::assign_op(vm, slot, op, y));
        }
        stop
    }
}

/// An operand, or null where reading it has thrown.
pub fn or_null(taken: Res<Value>) -> Res<(Value, Option<Stop>)> {
    match taken {
        Ok(value) => Ok((value, None)),
        Err(Stop::Thrown) => Ok((Value::null(), Some(Stop::Thrown))),
        Err(stop) => Err(stop),
    }
}

/// What a typed place takes when the operator of `place op= …` has failed: the operator leaves nothing behind, which weak mode takes for
/// 0, 0.0, '' or false.
fn left_by_failure(mask: u32, strict: bool) -> Option<Value> {
    match mask {
        _ if strict => None,
        m if m & mask::INT != 0 => Some(Value::from(0)),
        m if m & mask::FLOAT != 0 => Some(Value::from(0.0)),
        m if m & mask::STRING != 0 => Some(Value::from(jumbo_value::PStr::empty())),
        m if m & mask::BOOL == mask::BOOL => Some(Value::from(false)),
        _ => None,
    }
}

/// The operator of `*slot op= …` has failed with `stop`: a typed reference takes what is left, or refuses it on top.
///
/// # Safety
/// The slot is live.
#[cold]
pub unsafe fn failed_reference(vm: *mut Vm, slot: *mut Raw, stop: Stop) -> Stop {
    // SAFETY: as promised.
    unsafe {
        let Some(source) = types::typed_reference(slot) else { return stop };
        if stop != Stop::Thrown {
            return stop;
        }
        let strict = types::caller_is_strict(vm);
        let refuses = |s: &&TypeSource| left_by_failure(s.ty.mask, strict).is_none();
        let all = source.all();
        if let Some(refusing) = all.iter().copied().find(refuses) {
            let text = [b"Cannot assign null to reference held by ".as_slice(), &refusing.shown()].concat();
            return Vm::cx(vm).type_error(text);
        }
        if let Some(value) = left_by_failure(source.ty.mask, strict) {
            let old = std::mem::replace(&mut *Raw::deref_slot(slot), value.into_raw());
            old.release();
        }
        stop
    }
}

/// As [`failed_reference`], of the slot of a typed property, which refuses in silence.
///
/// # Safety
/// The slot is live.
#[cold]
pub unsafe fn failed_property(vm: *mut Vm, slot: *mut Raw, mask: u32, stop: Stop) -> Stop {
    // SAFETY: as promised.
    unsafe {
        if types::typed_reference(slot).is_some_and(|source| !source.is_static || !(*slot).header().is_unique()) {
            return failed_reference(vm, slot, stop);
        }
        if stop == Stop::Thrown
            && let Some(value) = left_by_failure(mask, types::caller_is_strict(vm))
        {
            let old = std::mem::replace(&mut *Raw::deref_slot(slot), value.into_raw());
            old.release();
        }
        stop
    }
}
