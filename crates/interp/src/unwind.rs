//! Unwinding: where an exception, exit or fatal error goes from an instruction.
//!
//! Temporaries that are alive at the instruction (live ranges) are released, then the innermost `catch` or `finally` around it goes on;
//! without one the frame ends and the search continues in its caller, up to the ENTRY frame of the running loop.

use crate::vm::Vm;
use crate::frame::{Frame, flags};
use crate::ops::calls;
use jumbo_abi::Stop;
use jumbo_bytecode::unit::{FunctionProto, LiveKind};
use jumbo_bytecode::{FRAME_HEADER, Insn, Op};
use jumbo_value::{Raw, Value, tag};
use std::ptr;

/// From a handler: `stop` happened at `pc` of `fp`.
///
/// # Safety
/// As the handlers: `fp` is the running frame.
#[cold]
#[inline(never)]
pub unsafe fn unwind(stop: Stop, pc: *const Insn, fp: *mut Frame, vm: *mut Vm) -> *const Insn {
    // SAFETY: as promised.
    unsafe {
        (*vm).stop = Some(stop);
        unwind_pending(pc, fp, vm)
    }
}

/// As [`unwind`], with the reason in `vm.stop`.
///
/// # Safety
/// As [`unwind`].
#[cold]
#[inline(never)]
pub unsafe fn unwind_pending(pc: *const Insn, fp: *mut Frame, vm: *mut Vm) -> *const Insn {
    // SAFETY: as promised. The search is a function of its own, so that going on is a tail call: a loop that catches must not
    // deepen the native stack.
    unsafe {
        let pc = handler_of(pc, fp, vm);
        if pc.is_null() {
            return pc;
        }
        let fp = (*vm).fp;
        crate::dispatch::dispatch(pc, fp, vm, (*(*fp).func).literals)
    }
}

/// Ends frames until one takes the stop: the instruction where that one, `vm.fp` now, goes on; null at the end of the running loop.
///
/// # Safety
/// As [`unwind`].
#[inline(never)]
unsafe fn handler_of(pc: *const Insn, fp: *mut Frame, vm: *mut Vm) -> *const Insn {
    // SAFETY: as promised.
    unsafe {
        let mut stop = (*vm).stop.take().unwrap_or(Stop::Fatal);
        let (mut pc, mut fp) = (pc, fp);
        loop {
            let proto = (*(*fp).func).proto_unchecked();
            let here = pc.offset_from(proto.code.as_ptr()) as u32;
            let at = thrown_at(proto, here);
            (*vm).fp = fp;
            (*vm).pc = pc;
            leave_finally(vm, fp, proto, at, stop);
            release_live(vm, fp, proto, here, target(proto, at, stop));
            if jumbo_value::Heap::current_has_dying()
                && let Err(other) = crate::objects::run_destructors(Vm::cx(vm))
            {
                stop = other.after(stop);
            }
            if let Some(word) = target(proto, at, stop) {
                let region = proto.tries.iter().rfind(|t| t.finally == word);
                if let Some(region) = region {
                    // Into the finally block, which rethrows when it is through.
                    let exception = Vm::cx(vm).exception.take();
                    let slot = Frame::slot(fp, region.finally_temp);
                    *slot = exception.map_or(Raw::NULL, |e| Value::from(e).into_raw());
                }
                return proto.code.as_ptr().add(word as usize);
            }
            let entry = (*fp).is(flags::ENTRY);
            let (call, caller) = ((*fp).call_pc, (*fp).prev);
            if (*fp).is(flags::GENERATOR) {
                crate::generator::ended_by_stop(fp);
            } else {
                release_frame(fp);
            }
            (*vm).fp = caller;
            (*vm).pc = call;
            if entry {
                (*vm).stop = Some(stop);
                return ptr::null();
            }
            (pc, fp) = (call, caller);
        }
    }
}

/// Finally blocks that are left by `stop`: the exceptions that they would have thrown again become previous ones of the new exception.
///
/// # Safety
/// `fp` is the running frame, at word `at` of `proto`.
unsafe fn leave_finally(vm: *mut Vm, fp: *mut Frame, proto: &FunctionProto, at: u32, stop: Stop) {
    let goes_on = target(proto, at, stop);
    for t in proto.tries.iter().rev() {
        let inside = |word: u32| t.finally != u32::MAX && word >= t.finally && word < t.finally_end;
        if !inside(at) || goes_on.is_some_and(inside) {
            continue;
        }
        // SAFETY: in its block the temporary holds the return place, an exception or nothing.
        unsafe {
            let slot = Frame::slot(fp, t.finally_temp);
            let kept = *slot;
            (*slot).tag = tag::UNDEF;
            if !kept.is_object() {
                continue;
            }
            let kept = kept.into_value();
            let cx = Vm::cx(vm);
            if stop == Stop::Thrown
                && let Some(before) = kept.as_object()
                && let Some(new) = cx.exception.clone()
            {
                crate::errors::chain(cx, &new, before.clone());
            }
        }
    }
}

/// The word that an exception of the instruction at `here` comes from: `break`, `return` and the like release what the loops they leave
/// hold, which may throw; then the loop has been left already.
fn thrown_at(proto: &FunctionProto, here: u32) -> u32 {
    match proto.code.get(here as usize) {
        Some(insn) if matches!(insn.op(), Op::Free | Op::IterFree) => here.wrapping_add(insn.bc()),
        _ => here,
    }
}

/// Word of the catch clause or finally block that takes `stop` raised at `at`.
fn target(proto: &FunctionProto, at: u32, stop: Stop) -> Option<u32> {
    if stop != Stop::Thrown {
        return None;
    }
    let mut found = None;
    for t in &proto.tries {
        if t.catch != u32::MAX && at >= t.start && at < t.catch {
            found = Some(t.catch);
        } else if t.finally != u32::MAX && at >= t.start && at < t.finally {
            found = Some(t.finally);
        }
    }
    found
}

/// Releases the temporaries that are alive at word `at`, except those that are alive at the place where execution goes on.
///
/// # Safety
/// `at` is a word of the frame's code, where it stands.
pub(crate) unsafe fn release_live(vm: *mut Vm, fp: *mut Frame, proto: &FunctionProto, at: u32, target: Option<u32>) {
    // SAFETY: live ranges say what the registers hold.
    unsafe {
        for range in &proto.live {
            // One life of a temporary may be several ranges, where ways out of a loop release it in between.
            let alive_at = |t: u32| {
                proto.live.iter().any(|r| r.register == range.register && t >= r.start && t < r.end)
            };
            if at < range.start || at >= range.end || target.is_some_and(alive_at) {
                continue;
            }
            let slot = Frame::slot(fp, range.register);
            match range.kind {
                LiveKind::Value | LiveKind::Argument(_) => (*slot).release(),
                LiveKind::Iterator => crate::ops::iter::free(slot),
                LiveKind::Silence => crate::ops::misc::end_silence(vm, *slot),
                LiveKind::Frame => calls::drop_frame_parts(slot.cast()),
                LiveKind::NewObject => {
                    let object = *slot;
                    if object.is_object() {
                        // A constructor that failed: the destructor must not run.
                        (*(object.bits as *mut jumbo_value::ObjHeader)).header.set(jumbo_value::header::DESTRUCTED);
                    }
                    object.release();
                }
            }
            (*slot).tag = tag::UNDEF;
        }
    }
}

/// Releases everything a frame owns (CVs, `$this`, extras), detaching its symbol table. The frame must not run any more.
///
/// # Safety
/// All CVs are initialised, no temporary is alive.
pub unsafe fn release_frame(fp: *mut Frame) {
    // SAFETY: as promised.
    unsafe {
        let func = &*(*fp).func;
        let rest = (*fp).is(flags::INCLUDED).then(|| crate::symbols::detach(fp));
        let release = |n: usize| {
            let slot = Frame::cv(fp, n);
            let value = *slot;
            (*slot).tag = tag::UNDEF;
            value.release();
        };
        // What a variadic parameter has collected ends last, as PHP's frame has it beside the variables, too.
        let collected = if func.is(jumbo_abi::func_flags::VARIADIC) { func.params as usize } else { usize::MAX };
        let cvs = (func.first_temp - FRAME_HEADER) as usize;
        (0..cvs).filter(|&n| n != collected).for_each(release);
        drop(rest);
        if collected < cvs {
            release(collected);
        }
        calls::drop_frame_parts(fp);
    }
}
