//! `foreach` over a generator that stands at a `yield` of its own: no nested run, the loop's frame calls the generator's as it would a
//! function, and `yield` goes back to the loop with the element.
//!
//! While it runs so, the generator's frame is marked STEPPED instead of ENTRY: [`leave`] (at a `yield`), [`ended`] (at a `return`) and
//! [`abandoned`] (in the unwinder) take it back. What holds the generator meanwhile are the temporaries of the loop.
//! Everything else — the first element, delegates, references — goes the long way of [`super::step`].

use super::{Signal, State, at_own_yield, go_into_delegate, of_frame, shown};
use crate::frame::{Frame, flags};
use crate::iteration;
use crate::ops::calls::save;
use crate::ops::{iter, operand};
use crate::unwind::unwind;
use crate::vm::{Vm, object_clone};
use jumbo_abi::Res;
use jumbo_bytecode::{Insn, NONE, Op};
use jumbo_value::{Raw, Value, header};

/// What the loop at `pc` of `fp` goes over, if it can be stepped.
///
/// # Safety
/// `pc` is the IterNext or IterNextTmp that runs.
#[inline]
pub unsafe fn steppable(pc: *const Insn, fp: *mut Frame) -> Option<*mut State> {
    // SAFETY: the loop's temporaries hold an array or an iteration.
    unsafe {
        let it = Frame::slot(fp, (*pc).a());
        if !(*it).is_object() {
            return None;
        }
        iteration::kept(it).generator_gone_into().filter(|&s| at_own_yield(s))
    }
}

/// Goes on in the generator, for the loop at `pc` of `fp`.
///
/// # Safety
/// `s` is [`steppable`]; the machine stands at `pc`.
pub unsafe fn enter(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, s: *mut State) -> *const Insn {
    // SAFETY: as promised; the frame is suspended behind its `yield`.
    unsafe {
        let top = Vm::top(vm);
        let frame = (*s).frame;
        (*frame).extra_mut().top = top.cast();
        (*frame).prev = fp;
        (*frame).call_pc = pc;
        (*frame).flags = (*frame).flags & !flags::ENTRY | flags::STEPPED;
        (*s).at_first_yield = false;
        (*s).running = true;
        if (*s).sent_to != NONE {
            *Frame::slot(frame, (*s).sent_to) = Raw::NULL;
        }
        (*vm).fp = frame;
        crate::dispatch::dispatch((*s).pc.add(1), frame, vm, (*(*frame).func).literals)
    }
}

/// The loop that steps the generator of `fp`, which does not run any more: its frame and where it stands.
unsafe fn back(vm: *mut Vm, fp: *mut Frame, s: *mut State) -> (*mut Frame, *const Insn) {
    // SAFETY: as the callers.
    unsafe {
        let (caller, call) = ((*fp).prev, (*fp).call_pc);
        (*fp).flags = (*fp).flags & !flags::STEPPED | flags::ENTRY;
        (*s).running = false;
        save(vm, caller, call);
        (caller, call)
    }
}

/// At a `yield` or `yield from`: back to the loop.
///
/// # Safety
/// `fp` is a STEPPED frame, whose state was brought up to date.
pub unsafe fn leave(vm: *mut Vm, fp: *mut Frame, signal: Signal) -> *const Insn {
    // SAFETY: as promised.
    unsafe {
        let s = of_frame(fp);
        let (caller, call) = back(vm, fp, s);
        if signal != Signal::Yielded {
            return delegated(vm, caller, call, s);
        }
        let (value, key) = ((*s).value.raw().deref(), (*s).key.raw().deref());
        let (to, key_to) = ((*call).b(), (*call).c());
        let is_plain = (*call).op() == Op::IterNext
            && operand::is_plainly_overwritten(*Frame::slot(caller, to))
            && (key_to == NONE || key_to != to && operand::is_plainly_overwritten(*Frame::slot(caller, key_to)));
        if !is_plain {
            return store(vm, caller, call, value.copied(), key.copied());
        }
        value.add_ref();
        operand::overwrite_plainly(Frame::slot(caller, to), value);
        if key_to != NONE {
            key.add_ref();
            operand::overwrite_plainly(Frame::slot(caller, key_to), key);
        }
        crate::dispatch::dispatch(call.add(2), caller, vm, (*(*caller).func).literals)
    }
}

/// Hands the loop an element, and goes on in it.
#[inline(never)]
unsafe fn store(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, value: Raw, key: Raw) -> *const Insn {
    // SAFETY: as `leave`, back in the loop's frame.
    unsafe {
        let is_temporary = (*pc).op() == Op::IterNextTmp;
        if let Err(stop) = iter::store(vm, fp, pc, is_temporary, value, key) {
            return unwind(stop, pc, fp, vm);
        }
        crate::dispatch::dispatch(pc.add(2), fp, vm, (*(*fp).func).literals)
    }
}

/// `yield from` a generator was begun: the rest of the step is done the long way.
#[cold]
#[inline(never)]
unsafe fn delegated(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, s: *mut State) -> *const Insn {
    // SAFETY: as `leave`, back in the loop's frame.
    unsafe {
        match element_of_delegate(vm, fp, pc, s) {
            Ok(Some((value, key))) => store(vm, fp, pc, value.into_raw(), key.into_raw()),
            Ok(None) => end_of_loop(vm, fp, pc),
            Err(stop) => unwind(stop, pc, fp, vm),
        }
    }
}

unsafe fn element_of_delegate(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, s: *mut State) -> Res<Option<(Value, Value)>> {
    // SAFETY: as above; the object is held here.
    unsafe {
        let generator = object_clone((*Frame::slot(fp, (*pc).a())).object_ptr());
        let cx = Vm::cx(vm);
        (*s).running = true;
        let result = go_into_delegate(cx, &generator, s);
        (*s).running = false;
        result?;
        shown(cx, &generator, false, (*pc).c() != NONE)
    }
}

/// Goes on behind the loop.
unsafe fn end_of_loop(vm: *mut Vm, fp: *mut Frame, pc: *const Insn) -> *const Insn {
    // SAFETY: the word behind IterNext is its jump.
    unsafe {
        let to = pc.offset((*pc.add(1)).0 as u32 as i32 as isize);
        crate::dispatch::dispatch(to, fp, vm, (*(*fp).func).literals)
    }
}

/// The generator's frame was released: it is done.
///
/// # Safety
/// `caller` stands at `call`, the IterNext that stepped the generator.
pub unsafe fn abandoned(caller: *mut Frame, call: *const Insn, s: *mut State) {
    // SAFETY: as promised.
    unsafe {
        (*s).running = false;
        (*s).finish();
        (*(*Frame::slot(caller, (*call).a())).object_ptr()).header.set(header::DESTRUCTED);
    }
}

/// `return` of a stepped generator: behind the loop.
///
/// # Safety
/// As [`abandoned`], with the machine at `call`.
pub unsafe fn ended(vm: *mut Vm, caller: *mut Frame, call: *const Insn, s: *mut State) -> *const Insn {
    // SAFETY: as promised.
    unsafe {
        abandoned(caller, call, s);
        end_of_loop(vm, caller, call)
    }
}
