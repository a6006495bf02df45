//! yield, yield from, and return of generators. See [`crate::generator`].

use super::calls::save;
use super::operand;
use crate::frame::{Frame, flags};
use crate::generator::{self, Signal, stepping};
use crate::vm::Vm;
use crate::{next, op, tri};
use jumbo_abi::Res;
use jumbo_bytecode::{Insn, LITERAL, NONE, THIS};
use jumbo_value::{Raw, Value, tag};
use std::ptr;

op! {
    Yield(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let (b, c) = ((*pc).b(), (*pc).c());
        let is_plain = b != NONE && b != THIS && c == NONE && !(*fp).is(flags::CLOSING);
        if is_plain && !matches!((*operand::peek(fp, lits, b)).tag, tag::UNDEF | tag::REF) {
            generator::show(fp, operand::take(fp, lits, b));
        } else {
            tri!(yield_value(vm, fp, lits, pc), pc, fp, vm);
        }
        if jumbo_value::Heap::current_has_dying() {
            // What was shown before ends here.
            tri!(crate::objects::run_destructors(Vm::cx(vm)), pc, fp, vm);
        }
        return suspend(vm, fp, pc, Signal::Yielded);
    }

    YieldRef(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(yield_reference(vm, fp, lits, pc), pc, fp, vm);
        return suspend(vm, fp, pc, Signal::Yielded);
    }

    YieldFrom(pc, fp, vm, lits) {
        save(vm, fp, pc);
        if let Some(signal) = tri!(yield_from(vm, fp, lits, pc), pc, fp, vm) {
            return suspend(vm, fp, pc, signal);
        }
        next!(pc, fp, vm, lits, 1)
    }

    GeneratorCreate(pc, fp, vm, _lits) {
        save(vm, fp, pc);
        if (*fp).result == NONE as u32 && !(*fp).is(flags::ENTRY) {
            // Nobody wants it: PHP makes none then.
            return super::calls::do_return(pc, fp, vm, Raw::NULL);
        }
        return super::calls::return_generator(pc, fp, vm);
    }

    GeneratorReturn(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let value = tri!(operand::take_checked(vm, fp, lits, (*pc).a()), pc, fp, vm);
        return end(vm, fp, value);
    }
}

/// Ends the run of the generator's frame, which stays at `pc`.
#[inline(never)]
unsafe fn suspend(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, signal: Signal) -> *const Insn {
    // SAFETY: `fp` is the running generator's frame.
    unsafe {
        let state = generator::of_frame(fp);
        (*state).pc = pc;
        (*state).sent_to = (*pc).a();
        (*state).signal = signal;
        if (*fp).is(flags::STEPPED) {
            return stepping::leave(vm, fp, signal);
        }
        (*vm).fp = (*fp).prev;
        (*vm).pc = (*fp).call_pc;
        ptr::null()
    }
}

#[inline(never)]
unsafe fn end(vm: *mut Vm, fp: *mut Frame, value: Raw) -> *const Insn {
    // SAFETY: `fp` is the running generator's frame.
    unsafe { generator::returned(vm, fp, value.into_value()) }
}

/// Stores the key: given, or the next automatic one.
unsafe fn store_key(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, operand: u16) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        let state = generator::of_frame(fp);
        if operand == NONE {
            (*state).count_key();
            return Ok(());
        }
        let key = operand::take_value(vm, fp, lits, operand)?;
        if let Some(n) = key.as_int()
            && n > (*state).largest_key
        {
            (*state).largest_key = n;
        }
        (*state).key = key;
        Ok(())
    }
}

unsafe fn refuse_when_closing(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handlers; the instruction consumes its temporaries.
    unsafe {
        if !(*fp).is(flags::CLOSING) {
            return Ok(());
        }
        for o in [(*pc).b(), (*pc).c()] {
            if o != NONE && o & LITERAL == 0 {
                operand::consume(fp, o);
            }
        }
        let _ = lits;
        Err(generator::yield_while_closing(Vm::cx(vm)))
    }
}

#[inline(never)]
unsafe fn yield_value(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        refuse_when_closing(vm, fp, lits, pc)?;
        let (b, c) = ((*pc).b(), (*pc).c());
        let value = if b == NONE { Value::null() } else { operand::take_value(vm, fp, lits, b)? };
        store_key(vm, fp, lits, c)?;
        (*generator::of_frame(fp)).value = value;
        Ok(())
    }
}

#[inline(never)]
unsafe fn yield_reference(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        refuse_when_closing(vm, fp, lits, pc)?;
        let (b, c) = ((*pc).b(), (*pc).c());
        let value = if b == NONE {
            Value::null()
        } else if b & LITERAL == 0 && operand::is_temp(fp, b) {
            let slot = Frame::slot(fp, b);
            let held = std::mem::replace(&mut *slot, Raw::UNDEF);
            if held.tag == tag::PTR {
                operand::make_ref(held.as_ptr()).into_value()
            } else {
                let value = held.into_value();
                if value.as_ref().is_none() {
                    generator::only_variables(Vm::cx(vm))?;
                }
                value
            }
        } else if b == THIS {
            super::calls::this_of(fp).map_or(Value::null(), Value::from)
        } else {
            operand::make_ref(Frame::slot(fp, b)).into_value()
        };
        store_key(vm, fp, lits, c)?;
        (*generator::of_frame(fp)).value = value;
        Ok(())
    }
}

/// `None`: the expression has its value already.
#[inline(never)]
unsafe fn yield_from(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<Option<Signal>> {
    // SAFETY: as the handlers.
    unsafe {
        let value = operand::take_value(vm, fp, lits, (*pc).b())?;
        if (*fp).is(flags::CLOSING) {
            return Err(Vm::cx(vm).throw_error(b"Cannot use \"yield from\" in a force-closed generator"));
        }
        match generator::delegate(vm, fp, value)? {
            Ok(signal) => Ok(Some(signal)),
            Err(result) => {
                if (*pc).a() != NONE {
                    *Frame::slot(fp, (*pc).a()) = result.into_raw();
                }
                Ok(None)
            }
        }
    }
}
