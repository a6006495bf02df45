//! Jumps, truth, switch and match.

use super::calls::save;
use super::operand;
use crate::frame::Frame;
use crate::vm::Vm;
use crate::{cold, jump, next, op, tri};
use jumbo_abi::Res;
use jumbo_value::{Kind, Raw, Value, tag};

/// Truth of a plain scalar from its words: Some for what needs no look behind a pointer.
#[inline(always)]
pub(super) fn quick_truth(value: Raw) -> Option<bool> {
    match value.tag {
        tag::NULL | tag::FALSE => Some(false),
        tag::TRUE => Some(true),
        tag::INT => Some(value.bits != 0),
        _ => None,
    }
}

/// Truth of a value whose truth runs no code (references followed): None for objects.
#[inline(always)]
pub(super) unsafe fn plain_truth(value: Raw) -> Option<bool> {
    // SAFETY: the value is alive.
    unsafe {
        let value = value.deref();
        if value.is_string() {
            return Some(!jumbo_value::string::is_false(value.str_ptr()));
        }
        if value.is_array() {
            return Some(jumbo_value::array::raw::count(value.array_ptr()) != 0);
        }
        match value.tag {
            tag::UNDEF => Some(false),
            tag::FLOAT => Some(value.as_float() != 0.0),
            _ => quick_truth(value),
        }
    }
}

/// Truth of any value (references followed); objects that cast to bool themselves are asked.
#[inline(never)]
pub unsafe fn truth(vm: *mut Vm, value: Raw) -> Res<bool> {
    // SAFETY: the value is alive.
    unsafe {
        let value = value.deref();
        if value.is_object() {
            return crate::objects::truth(Vm::cx(vm), value.as_object());
        }
        Ok(jumbo_value::convert::to_bool(value.as_value()))
    }
}

/// Truth of an operand, which is consumed; undefined variables warn.
#[inline(never)]
unsafe fn test_slow(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16) -> Res<bool> {
    // SAFETY: as the handlers.
    unsafe {
        let value = operand::take_value(vm, fp, lits, o)?;
        let answer = truth(vm, value.raw());
        super::moves::release_checked(vm, value.into_raw())?;
        answer
    }
}

/// A handler that goes on by an operand's truth: `$yes` or `$no`, which end it. Kinds whose truth runs no code are told at once.
macro_rules! test {
    ($($name:ident $o:ident ($pc:ident, $fp:ident, $vm:ident, $lits:ident) $yes:block $no:block)*) => {
        op! {$(
            $name($pc, $fp, $vm, $lits) {
                let value = *operand::peek($fp, $lits, (*$pc).$o());
                if let Some(t) = quick_truth(value) {
                    if t $yes else $no
                }
                cold!($pc, $fp, $vm, $lits, {
                    let value = *operand::peek($fp, $lits, (*$pc).$o());
                    if value.tag != tag::UNDEF
                        && let Some(t) = plain_truth(value)
                        && operand::release_shared($fp, (*$pc).$o())
                    {
                        if t $yes else $no
                    }
                    save($vm, $fp, $pc);
                    if tri!(test_slow($vm, $fp, $lits, (*$pc).$o()), $pc, $fp, $vm) $yes else $no
                })
            }
        )*}
    };
}

/// A backward jump: the safepoint first.
macro_rules! jump_back {
    ($pc:ident, $fp:ident, $vm:ident, $lits:ident) => {{
        if !is_interrupted($vm) {
            jump!($pc, $fp, $vm, $lits, (*$pc).jump())
        }
        cold!($pc, $fp, $vm, $lits, {
            save($vm, $fp, $pc);
            tri!(interrupted($vm), $pc, $fp, $vm);
            jump!($pc, $fp, $vm, $lits, (*$pc).jump())
        })
    }};
}

test! {
    JmpZ a (pc, fp, vm, lits) { next!(pc, fp, vm, lits, 1) } { jump!(pc, fp, vm, lits, (*pc).jump()) }
    JmpNZ a (pc, fp, vm, lits) { jump!(pc, fp, vm, lits, (*pc).jump()) } { next!(pc, fp, vm, lits, 1) }
    LoopZ a (pc, fp, vm, lits) { next!(pc, fp, vm, lits, 1) } { jump_back!(pc, fp, vm, lits) }
    LoopNZ a (pc, fp, vm, lits) { jump_back!(pc, fp, vm, lits) } { next!(pc, fp, vm, lits, 1) }
    JmpZBool b (pc, fp, vm, lits) {
        *Frame::slot(fp, (*pc).a()) = Raw::TRUE;
        next!(pc, fp, vm, lits, 2)
    } {
        *Frame::slot(fp, (*pc).a()) = Raw::FALSE;
        jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
    }
    JmpNZBool b (pc, fp, vm, lits) {
        *Frame::slot(fp, (*pc).a()) = Raw::TRUE;
        jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
    } {
        *Frame::slot(fp, (*pc).a()) = Raw::FALSE;
        next!(pc, fp, vm, lits, 2)
    }
    Bool b (pc, fp, vm, lits) {
        *Frame::slot(fp, (*pc).a()) = Raw::TRUE;
        next!(pc, fp, vm, lits, 1)
    } {
        *Frame::slot(fp, (*pc).a()) = Raw::FALSE;
        next!(pc, fp, vm, lits, 1)
    }
    Not b (pc, fp, vm, lits) {
        *Frame::slot(fp, (*pc).a()) = Raw::FALSE;
        next!(pc, fp, vm, lits, 1)
    } {
        *Frame::slot(fp, (*pc).a()) = Raw::TRUE;
        next!(pc, fp, vm, lits, 1)
    }
}

op! {
    Jmp(pc, fp, vm, lits) {
        jump!(pc, fp, vm, lits, (*pc).jump())
    }

    Loop(pc, fp, vm, lits) {
        jump_back!(pc, fp, vm, lits)
    }

    JmpNotNull(pc, fp, vm, lits) {
        let a = (*pc).a();
        let value = (*Frame::slot(fp, a)).deref();
        if !value.is_nullish() {
            jump!(pc, fp, vm, lits, (*pc).jump())
        }
        operand::consume(fp, a);
        next!(pc, fp, vm, lits, 1)
    }

    JmpNull(pc, fp, vm, lits) {
        let a = (*pc).a();
        let value = (*Frame::slot(fp, a)).deref();
        if value.is_nullish() {
            operand::consume(fp, a);
            jump!(pc, fp, vm, lits, (*pc).jump())
        }
        next!(pc, fp, vm, lits, 1)
    }

    JmpTrueKeep(pc, fp, vm, lits) {
        let value = *operand::peek(fp, lits, (*pc).b());
        if let Some(t) = quick_truth(value) {
            if t {
                *Frame::slot(fp, (*pc).a()) = value;
                jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
            }
            next!(pc, fp, vm, lits, 2)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let value = tri!(operand::take_checked(vm, fp, lits, (*pc).b()), pc, fp, vm);
            // The value stays in the destination, where the unwinder would not look for it: truth of objects is the only thing that can fail.
            let t = match truth(vm, value) {
                Ok(t) => t,
                Err(stop) => {
                    value.release();
                    return crate::unwind::unwind(stop, pc, fp, vm);
                }
            };
            if t {
                *Frame::slot(fp, (*pc).a()) = value;
                jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
            }
            value.release();
            next!(pc, fp, vm, lits, 2)
        })
    }

    Switch(pc, fp, vm, lits) {
        let value = (*Frame::slot(fp, (*pc).a())).deref();
        if value.tag == tag::UNDEF && (*pc.add(1)).op() == jumbo_bytecode::Op::Jmp {
            // A `match`: no comparisons follow that would warn.
            save(vm, fp, pc);
            tri!(operand::undefined(vm, fp, (*pc).a()), pc, fp, vm);
        }
        match switch_target(fp, value, (*pc).bc()) {
            Some(offset) => jump!(pc, fp, vm, lits, offset),
            None => next!(pc, fp, vm, lits, 1),
        }
    }

    MatchError(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let stop = match_error(vm, fp, (*pc).a());
        return crate::unwind::unwind(stop, pc, fp, vm);
    }

    AssertCheck(pc, fp, vm, lits) {
        if crate::assertions_on(vm) {
            next!(pc, fp, vm, lits, 1)
        }
        jump!(pc, fp, vm, lits, (*pc).jump())
    }
}

/// Does something ask for a safepoint?
///
/// # Safety
/// The machine is live.
#[inline(always)]
pub(super) unsafe fn is_interrupted(vm: *mut Vm) -> bool {
    // SAFETY: as promised.
    unsafe { (*(*vm).interrupt).load(std::sync::atomic::Ordering::Relaxed) }
}

/// Serves what asked for the safepoint.
///
/// # Safety
/// As [`is_interrupted`], with the place of execution saved.
#[cold]
#[inline(never)]
pub(super) unsafe fn interrupted(vm: *mut Vm) -> Res<()> {
    // SAFETY: the machine is live.
    unsafe {
        let cx = Vm::cx(vm);
        cx.engine().interrupted(cx)
    }
}

#[inline(never)]
unsafe fn switch_target(fp: *mut Frame, value: Raw, table: u32) -> Option<i32> {
    // SAFETY: the frame runs PHP code; the value is alive.
    unsafe {
        let table = (*(*fp).func).proto_unchecked().switches.get(table as usize)?;
        match value.kind() {
            Kind::Int if !table.ints.is_empty() => table.ints.get(&value.as_int()).copied().or(table.default),
            Kind::String if !table.strings.is_empty() => {
                table.strings.get(value.as_str().as_bytes()).copied().or(table.default)
            }
            _ => None,
        }
    }
}

#[cold]
unsafe fn match_error(vm: *mut Vm, fp: *mut Frame, o: u16) -> jumbo_abi::Stop {
    // SAFETY: as the handler.
    unsafe {
        // Of what is behind a reference only the type is told.
        let is_reference = (*Frame::slot(fp, o)).is_ref();
        // Who compared an undefined variable was told of it then.
        let value = (*Frame::slot(fp, o)).deref().copied().into_value();
        let value = if value.is_undef() { Value::null() } else { value };
        let cx = Vm::cx(vm);
        let text = match crate::display::short_value(cx, &value).filter(|_| !is_reference) {
            Some(shown) => [b"Unhandled match case ".as_slice(), &shown].concat(),
            None if value.deref().is_bool() => b"Unhandled match case of type bool".to_vec(),
            None => [b"Unhandled match case of type ".as_slice(), &jumbo_abi::args::type_name(&value)].concat(),
        };
        cx.throw("UnhandledMatchError", text)
    }
}
