//! Moves and plain variables.

use super::calls::save;
use super::operand;
use crate::frame::Frame;
use crate::vm::Vm;
use crate::{cold, next, op, tri, type_sources, types};
use jumbo_abi::{Level, Res};
use jumbo_bytecode::op::LITERAL;
use jumbo_bytecode::{Insn, NONE, Op};
use jumbo_value::{Kind, PRef, Raw, Value, tag};

op! {
    Nop(pc, fp, vm, lits) {
        next!(pc, fp, vm, lits, 1)
    }

    Lit(pc, fp, vm, lits) {
        *Frame::slot(fp, (*pc).a()) = *lits.add((*pc).bc() as usize);
        next!(pc, fp, vm, lits, 1)
    }

    Move(pc, fp, vm, lits) {
        save(vm, fp, pc);
        *Frame::slot(fp, (*pc).a()) = tri!(operand::take_checked(vm, fp, lits, (*pc).b()), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    MoveCv(pc, fp, vm, lits) {
        let value = *Frame::slot(fp, (*pc).b());
        if value.tag != tag::UNDEF && value.tag != tag::REF {
            value.add_ref();
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 1)
        }
        return Move(pc, fp, vm, lits);
    }

    MoveStr(pc, fp, vm, lits) {
        let b = (*pc).b();
        let value = *operand::peek(fp, lits, b);
        if value.tag == tag::UNDEF || value.kind_byte() > Kind::String as u8 {
            save(vm, fp, pc);
            if (*pc).c() == 1 && next_reads_undefined(pc, fp) {
                *Frame::slot(fp, (*pc).a()) = tri!(move_string(vm, fp, lits, b, Some((*pc.add(1)).b())), pc, fp, vm);
                *Frame::slot(fp, (*pc.add(1)).a()) = Raw::NULL;
                next!(pc, fp, vm, lits, 2)
            }
            *Frame::slot(fp, (*pc).a()) = tri!(move_string(vm, fp, lits, b, None), pc, fp, vm);
            next!(pc, fp, vm, lits, 1)
        }
        if !operand::is_temp(fp, b) {
            value.add_ref();
        }
        *Frame::slot(fp, (*pc).a()) = value;
        next!(pc, fp, vm, lits, 1)
    }

    MoveQuiet(pc, fp, vm, lits) {
        *Frame::slot(fp, (*pc).a()) = operand::take(fp, lits, (*pc).b());
        next!(pc, fp, vm, lits, 1)
    }

    Dup(pc, fp, vm, lits) {
        let value = *Frame::slot(fp, (*pc).b());
        value.add_ref();
        *Frame::slot(fp, (*pc).a()) = value;
        next!(pc, fp, vm, lits, 1)
    }

    Free(pc, fp, vm, lits) {
        let a = (*pc).a();
        if operand::is_temp(fp, a) {
            let value = *Frame::slot(fp, a);
            if value.is_counted() {
                // A destructor that throws must not find it here again.
                (*Frame::slot(fp, a)).tag = tag::UNDEF;
                save(vm, fp, pc);
                tri!(release_checked(vm, value), pc, fp, vm);
            }
        } else {
            save(vm, fp, pc);
            tri!(operand::read_checked(vm, fp, lits, a), pc, fp, vm);
        }
        next!(pc, fp, vm, lits, 1)
    }

    Assign(pc, fp, vm, lits) {
        let b = (*pc).b();
        let slot = Frame::slot(fp, (*pc).a());
        let value = *operand::peek(fp, lits, b);
        let old = *slot;
        if !old.is_counted() && value.tag != tag::UNDEF && value.tag != tag::REF {
            if !operand::is_temp(fp, b) {
                value.add_ref();
            }
            *slot = value;
            if (*pc).c() != NONE {
                value.add_ref();
                *Frame::slot(fp, (*pc).c()) = value;
            }
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            let b = (*pc).b();
            save(vm, fp, pc);
            tri!(assign_slow(vm, fp, lits, (*pc).a(), b, (*pc).c()), pc, fp, vm);
            next!(pc, fp, vm, lits, 1)
        })
    }

    AssignLit(pc, fp, vm, lits) {
        let slot = reg!(to fp, (*pc).a());
        let value = *lit!(fp, lits, (*pc).b());
        if !(*slot).is_counted() {
            *slot = value;
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            let slot = reg!(to fp, (*pc).a());
            let value = *lit!(fp, lits, (*pc).b());
            save(vm, fp, pc);
            tri!(types::assign(vm, slot, value), pc, fp, vm);
            next!(pc, fp, vm, lits, 1)
        })
    }

    CopyScalar(pc, fp, vm, lits) {
        *reg!(to fp, (*pc).a()) = Frame::load(reg!(fp, lits, (*pc).b()));
        next!(pc, fp, vm, lits, 1)
    }

    AssignVar(pc, fp, vm, lits) {
        let slot = Frame::slot(fp, (*pc).a());
        let value = *Frame::slot(fp, (*pc).b());
        if !(*slot).is_counted() && value.tag != tag::UNDEF && value.tag != tag::REF {
            value.add_ref();
            *slot = value;
            next!(pc, fp, vm, lits, 1)
        }
        return assign_over(pc, fp, vm, lits);
    }

    AssignTmp(pc, fp, vm, lits) {
        let slot = Frame::slot(fp, (*pc).a());
        let value = *Frame::slot(fp, (*pc).b());
        if !(*slot).is_counted() && value.tag != tag::REF {
            *slot = value;
            next!(pc, fp, vm, lits, 1)
        }
        return assign_over(pc, fp, vm, lits);
    }

    AssignRef(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(assign_ref(vm, fp, (*pc).a(), (*pc).b(), (*pc).c()), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    AssignRefCall(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(assign_ref_call(vm, fp, lits, (*pc).a(), (*pc).b(), (*pc).c()), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    UnsetCv(pc, fp, vm, lits) {
        let slot = Frame::slot(fp, (*pc).a());
        let old = *slot;
        (*slot).tag = tag::UNDEF;
        if old.is_counted() {
            save(vm, fp, pc);
            tri!(release_checked(vm, old), pc, fp, vm);
        }
        next!(pc, fp, vm, lits, 1)
    }

    IssetCv(pc, fp, vm, lits) {
        let value = (*Frame::slot(fp, (*pc).b())).deref();
        *Frame::slot(fp, (*pc).a()) = Raw::bool(!value.is_nullish());
        next!(pc, fp, vm, lits, 1)
    }

    EmptyCv(pc, fp, vm, lits) {
        let value = (*Frame::slot(fp, (*pc).b())).deref();
        save(vm, fp, pc);
        let truth = tri!(super::jumps::truth(vm, value), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = Raw::bool(!truth);
        next!(pc, fp, vm, lits, 1)
    }

    This(pc, fp, vm, lits) {
        let this = (*fp).this;
        if this.is_null() {
            save(vm, fp, pc);
            let stop = Vm::cx(vm).throw_error(b"Using $this when not in object context");
            return crate::unwind::unwind(stop, pc, fp, vm);
        }
        (*this).header.add_ref();
        *Frame::slot(fp, (*pc).a()) = Raw { tag: tag::OBJECT, bits: this as u64 };
        next!(pc, fp, vm, lits, 1)
    }

    IssetThis(pc, fp, vm, lits) {
        *Frame::slot(fp, (*pc).a()) = Raw::bool(!(*fp).this.is_null());
        next!(pc, fp, vm, lits, 1)
    }

    MakeRef(pc, fp, vm, lits) {
        let b = (*pc).b();
        *Frame::slot(fp, (*pc).a()) = operand::make_ref(operand::place(fp, b));
        if (*Frame::slot(fp, b)).tag != tag::PTR {
            operand::free_place(fp, b);
        }
        next!(pc, fp, vm, lits, 1)
    }
}

/// Is the next instruction a MoveStr of an undefined variable?
unsafe fn next_reads_undefined(pc: *const Insn, fp: *mut Frame) -> bool {
    // SAFETY: code goes on behind a MoveStr.
    unsafe {
        let next = *pc.add(1);
        next.opcode() == Op::MoveStr as u16 && next.b() & LITERAL == 0 && !operand::is_temp(fp, next.b()) && (*Frame::slot(fp, next.b())).tag == tag::UNDEF
    }
}

/// A piece of a concatenation. `undefined`: a variable to tell of before it becomes a string.
#[inline(never)]
unsafe fn move_string(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16, undefined: Option<u16>) -> Res<Raw> {
    // SAFETY: as the handler.
    unsafe {
        let value = operand::take_value(vm, fp, lits, o)?;
        if let Some(variable) = undefined {
            operand::read_checked(vm, fp, lits, variable)?;
        }
        if value.is_array() || value.is_object() {
            let text = Vm::cx(vm).to_string(&value)?;
            release_checked(vm, value.into_raw())?;
            return Ok(text.into_raw());
        }
        Ok(value.into_raw())
    }
}

/// Releases a value; destructors run at once.
#[inline]
pub unsafe fn release_checked(vm: *mut Vm, value: Raw) -> Res<()> {
    // SAFETY: the count is the caller's.
    unsafe {
        value.release();
        if jumbo_value::Heap::current_has_dying() {
            return crate::objects::run_destructors(Vm::cx(vm));
        }
        Ok(())
    }
}

/// AssignTmp and AssignVar of a variable that holds something counted, or of a value that needs a look.
#[inline(never)]
unsafe fn assign_over(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handlers.
    unsafe {
        let b = (*pc).b();
        let slot = Frame::slot(fp, (*pc).a());
        let value = *Frame::slot(fp, b);
        let old = *slot;
        save(vm, fp, pc);
        if old.tag != tag::REF && value.tag != tag::REF && value.tag != tag::UNDEF {
            if !operand::is_temp(fp, b) {
                value.add_ref();
            }
            *slot = value;
            tri!(release_checked(vm, old), pc, fp, vm);
            next!(pc, fp, vm, lits, 1)
        }
        tri!(assign_slow(vm, fp, lits, (*pc).a(), b, NONE), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }
}

#[inline(never)]
unsafe fn assign_slow(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, a: u16, b: u16, result: u16) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let slot = Frame::slot(fp, a);
        let value = match operand::take_checked(vm, fp, lits, b) {
            Ok(value) => value,
            Err(stop) => {
                // An undefined variable is assigned as null, also when a handler throws.
                if types::typed_reference(slot).is_none() {
                    types::assign(vm, slot, Raw::NULL)?;
                }
                return Err(stop);
            }
        };
        if result != NONE {
            // The result of the expression is the value as the variable took it (typed references convert).
            *Frame::slot(fp, result) = types::assign_result(vm, slot, value)?;
            return Ok(());
        }
        types::assign(vm, slot, value)
    }
}

/// `$a = &$b`.
#[inline(never)]
unsafe fn assign_ref(vm: *mut Vm, fp: *mut Frame, a: u16, b: u16, result: u16) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        if operand::is_temp(fp, a) && (*Frame::slot(fp, a)).tag != tag::PTR {
            return assign_ref_to_value(vm, fp, a, b, result);
        }
        let from = operand::place(fp, b);
        let reference = operand::make_ref(from);
        if operand::is_temp(fp, b) && (*Frame::slot(fp, b)).tag != tag::PTR {
            operand::free_place(fp, b);
        }
        replace_reference(vm, fp, operand::place(fp, a), reference, operand::is_temp(fp, b), result)
    }
}

/// A slot gets a counted reference in place of what it held. The value of the expression is that of the reference when the destructors of
/// the old value have run.
unsafe fn replace_reference(vm: *mut Vm, fp: *mut Frame, to: *mut Raw, reference: Raw, direct: bool, result: u16) -> Res<()> {
    // SAFETY: as the handlers; the slot is not used after code has run.
    unsafe {
        if let Err(stop) = bind_static(vm, to, reference, direct) {
            reference.release();
            return Err(stop);
        }
        let held = if result == NONE { None } else { Some(reference.copied().into_value()) };
        let old = std::mem::replace(&mut *to, reference);
        release_checked(vm, old)?;
        if let Some(held) = held {
            *Frame::slot(fp, result) = held.into_deref().into_raw();
        }
        Ok(())
    }
}

/// The slot of a typed static property gets another reference, which takes over its demand.
unsafe fn bind_static(vm: *mut Vm, to: *mut Raw, reference: Raw, direct: bool) -> Res<()> {
    // SAFETY: the slot is live; the reference is held by the caller.
    unsafe {
        let cx = Vm::cx(vm);
        let Some(source) = type_sources::of_static_slot(cx, to) else { return Ok(()) };
        if (*to).bits == reference.bits {
            return Ok(());
        }
        let reference = reference.as_reference();
        types::fit_reference(cx, reference, source, direct)?;
        type_sources::unbind(cx, *to, source.declared);
        type_sources::bind_source(cx, reference, source.alone(), direct);
        Ok(())
    }
}

/// The target of `=&` is a value that stands for a place: what offsetGet returned. An undefined one is an element that has been bound
/// already.
#[cold]
unsafe fn assign_ref_to_value(vm: *mut Vm, fp: *mut Frame, a: u16, b: u16, result: u16) -> Res<()> {
    // SAFETY: as the handlers: both operands are consumed.
    unsafe {
        if (*Frame::slot(fp, a)).is_undef() {
            let shown = (*operand::place(fp, b)).deref().copied().into_value();
            if operand::is_temp(fp, b) && (*Frame::slot(fp, b)).tag != tag::PTR {
                operand::free_place(fp, b);
            }
            if result != NONE {
                *Frame::slot(fp, result) = shown.into_raw();
            }
            return release_checked(vm, Raw::NULL);
        }
        operand::free_place(fp, a);
        if operand::is_temp(fp, b) && (*Frame::slot(fp, b)).tag != tag::PTR {
            operand::free_place(fp, b);
        }
        let text: &[u8] = if fetched_by(vm, fp) == Some(jumbo_bytecode::Op::PropW) {
            b"Cannot assign by reference to overloaded object"
        } else {
            b"Cannot assign by reference to an array dimension of an object"
        };
        Err(Vm::cx(vm).throw_error(text))
    }
}

/// The instruction before the running one, which fetched its target.
#[cold]
unsafe fn fetched_by(vm: *mut Vm, fp: *mut Frame) -> Option<jumbo_bytecode::Op> {
    // SAFETY: `pc` was saved; instructions are walked from the start of the frame's code.
    unsafe {
        let mut at = (*(*fp).func).proto_unchecked().code.as_ptr();
        let mut before = None;
        while at < (*vm).pc {
            before = Some((*at).op());
            at = at.add((*at).op().words());
        }
        before
    }
}

/// Notice: `=&` takes a function's result that is no reference.
pub const ONLY_VARIABLES: &[u8] = b"Only variables should be assigned by reference";

#[inline(never)]
unsafe fn assign_ref_call(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, a: u16, b: u16, result: u16) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        if operand::is_temp(fp, a) && (*Frame::slot(fp, a)).tag != tag::PTR {
            return assign_ref_to_value(vm, fp, a, b, result);
        }
        let value = operand::take(fp, lits, b);
        let to = operand::place(fp, a);
        if value.tag == tag::REF {
            return replace_reference(vm, fp, to, value, false, result);
        }
        let value = Value::from_raw(value);
        Vm::cx(vm).raise(Level::Notice, ONLY_VARIABLES)?;
        let taken = types::assign_result(vm, to, value.into_raw())?;
        if result == NONE {
            taken.release();
        } else {
            *Frame::slot(fp, result) = taken;
        }
        Ok(())
    }
}

/// A fresh reference holding a value.
pub fn new_ref(value: Value) -> Raw {
    PRef::new(value).into_raw()
}
