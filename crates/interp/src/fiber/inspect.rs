//! What ReflectionFiber shows of a fiber.

use super::{Status, state};
use crate::errors;
use crate::frame::Frame;
use crate::vm::Vm;
use jumbo_abi::engine::BacktraceOptions;
use jumbo_abi::inspect::FiberInfo;
use jumbo_abi::{Cx, PObject};
use jumbo_bytecode::Insn;

pub fn info(cx: &mut Cx, fiber: &PObject, options: BacktraceOptions) -> FiberInfo {
    let Some(s) = state(fiber) else { return FiberInfo::default() };
    let status = s.status.get();
    let mut info = FiberInfo { alive: matches!(status, Status::Running | Status::Suspended), ..FiberInfo::default() };
    if status != Status::Terminated {
        // SAFETY: nothing borrows the callable for longer than a copy, but the call that runs, which does not change it.
        info.callable = Some(unsafe { (*s.callable.get()).value.clone() });
    }
    if !info.alive {
        return info;
    }
    // SAFETY: the frames of a fiber that has not ended are live, and so is the machine.
    unsafe {
        let bottom = (*s.parts.get()).bottom;
        let suspended = (*s.parts.get()).place.as_ref().filter(|_| status == Status::Suspended).map(|p| (p.fp, p.pc));
        let (top, pc) = match suspended {
            Some(top) => top,
            None => running_top(Vm::of(cx), bottom),
        };
        info.place = errors::place_above(top, pc, bottom);
        info.trace = errors::backtrace_from(cx, top, bottom, options);
    }
    info
}

/// The topmost frame of a running fiber, and where it stands: frames above it belong to fibers that it resumed.
unsafe fn running_top(vm: *mut Vm, bottom: *mut Frame) -> (*mut Frame, *const Insn) {
    // SAFETY: as the caller promises; the chain of frames ends at null.
    unsafe {
        let (mut top, mut pc) = ((*vm).fp, (*vm).pc);
        let mut at = top;
        while !at.is_null() && at != bottom {
            if (*at).func.is_null() {
                // The bottom of another fiber: on with the frame that resumed it.
                pc = (*at).call_pc;
                top = (*at).prev;
            }
            at = (*at).prev;
        }
        (top, pc)
    }
}
