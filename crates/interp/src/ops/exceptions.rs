//! throw, catch, finally.

use super::calls::save;
use super::operand;
use crate::frame::{Frame, flags};
use crate::vm::Vm;
use crate::{jump, next, op, tri};
use jumbo_abi::{ClassPtr, Res, Stop};
use jumbo_bytecode::unit::ClassRef;
use jumbo_bytecode::{Insn, NONE};
use jumbo_value::{Raw, Value, tag};

op! {
    Throw(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let stop = throw(vm, fp, lits, (*pc).a());
        return crate::unwind::unwind(stop, pc, fp, vm);
    }

    Catch(pc, fp, vm, lits) {
        save(vm, fp, pc);
        if tri!(catches(vm, fp, pc), pc, fp, vm) {
            tri!(take(vm, fp, (*pc).a()), pc, fp, vm);
            next!(pc, fp, vm, lits, 3)
        }
        if (*pc).b() != 0 {
            return crate::unwind::unwind(Stop::Thrown, pc, fp, vm);
        }
        jump!(pc, fp, vm, lits, (*pc.add(2)).0 as u32 as i32)
    }

    FastCall(pc, fp, vm, lits) {
        // The return place is kept as a PTR, which is what FastRet tells from an exception object.
        *Frame::slot(fp, (*pc).a()) = Raw::ptr(pc.add(1));
        jump!(pc, fp, vm, lits, (*pc).jump())
    }

    FastRet(pc, fp, vm, lits) {
        let slot = Frame::slot(fp, (*pc).a());
        let kept = *slot;
        (*slot).tag = tag::UNDEF;
        if kept.tag == tag::PTR {
            return crate::dispatch::dispatch(kept.as_ptr::<Insn>(), fp, vm, lits);
        }
        save(vm, fp, pc);
        if kept.tag == tag::NULL && (*fp).is(flags::CLOSING) {
            return crate::generator::close_on(vm, fp, pc);
        }
        let stop = rethrow(vm, kept);
        return crate::unwind::unwind(stop, pc, fp, vm);
    }

    DiscardException(pc, fp, vm, lits) {
        let slot = Frame::slot(fp, (*pc).a());
        let kept = *slot;
        (*slot).tag = tag::UNDEF;
        if kept.is_counted() {
            save(vm, fp, pc);
            tri!(super::moves::release_checked(vm, kept), pc, fp, vm);
        }
        next!(pc, fp, vm, lits, 1)
    }
}

#[inline(never)]
unsafe fn throw(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16) -> Stop {
    // SAFETY: as the handler.
    unsafe {
        let value = match operand::take_value(vm, fp, lits, o) {
            Ok(v) => v,
            Err(stop) => return stop,
        };
        let cx = Vm::cx(vm);
        match value.as_object() {
            Some(o) if ClassPtr::of(o).is_a(cx.builtin_class(b"throwable")) => cx.throw_object(o.clone()),
            Some(_) => cx.throw_error(b"Cannot throw objects that do not implement Throwable"),
            None => cx.throw_error(b"Can only throw objects"),
        }
    }
}

#[inline(never)]
unsafe fn catches(vm: *mut Vm, fp: *mut Frame, pc: *const Insn) -> Res<bool> {
    // SAFETY: as the handler.
    unsafe {
        let cx = Vm::cx(vm);
        let class = ClassRef((*pc.add(1)).0 as u32);
        let class = if class.0 >= ClassRef::FIRST_SPECIAL {
            Some(super::calls::class_of_ref(vm, fp, class)?)
        } else {
            // A class that does not exist catches nothing, and is not autoloaded.
            cx.classes.get(class.0).copied()
        };
        Ok(match (&cx.exception, class) {
            (Some(e), Some(class)) => ClassPtr::of(e).is_a(class),
            _ => false,
        })
    }
}

#[inline(never)]
unsafe fn take(vm: *mut Vm, fp: *mut Frame, variable: u16) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let exception = Vm::cx(vm).exception.take().map_or(Value::null(), Value::from);
        if variable == NONE {
            return super::moves::release_checked(vm, exception.into_raw());
        }
        crate::types::assign_strict(vm, Frame::slot(fp, variable), exception.into_raw())
    }
}

#[inline(never)]
unsafe fn rethrow(vm: *mut Vm, kept: Raw) -> Stop {
    // SAFETY: the temporary's count is taken over.
    unsafe {
        let cx = Vm::cx(vm);
        cx.exception = kept.into_value().as_object().cloned();
        if cx.exception.is_some() { Stop::Thrown } else { Stop::Fatal }
    }
}
