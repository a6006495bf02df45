//! What ReflectionGenerator shows.

use super::{State, refresh, state};
use crate::errors;
use crate::vm::{Vm, object_clone};
use jumbo_abi::engine::BacktraceOptions;
use jumbo_abi::inspect::{GeneratorInfo, GeneratorPlace};
use jumbo_abi::{Cx, PArray, PObject, PStr};

/// File and line where a generator stands.
unsafe fn place(vm: *mut Vm, s: *mut State) -> (PStr, u32) {
    // SAFETY: the frame of a generator that is not done is live; while it runs, the frames above it say where it stands.
    unsafe {
        let fp = (*s).frame;
        let line = match ((*s).running, (*s).started) {
            (true, _) => errors::line_of(vm, fp),
            (false, true) => errors::line_at(fp, (*s).pc),
            // It stands at its declaration.
            (false, false) => (*s).proto().map_or(0, |p| p.line_start),
        };
        (errors::file_of(fp), line)
    }
}

pub fn info(cx: &mut Cx, object: &PObject) -> Option<GeneratorInfo> {
    let vm = Vm::of(cx);
    let s = state(object)?;
    // SAFETY: states live as long as their objects.
    unsafe {
        let mut info = GeneratorInfo { function: (*s).func, closure: (*s).closure.clone(), place: None };
        if !(*s).is_done() {
            refresh(object, s);
            let (file, line) = place(vm, s);
            let fp = (*s).frame;
            info.place = Some(GeneratorPlace {
                this: if (*fp).this.is_null() { None } else { Some(object_clone((*fp).this)) },
                executing: (*s).path.last().unwrap_or(object).clone(),
                file,
                line,
            });
        }
        Some(info)
    }
}

pub fn trace(cx: &mut Cx, object: &PObject, options: BacktraceOptions) -> PArray {
    let vm = Vm::of(cx);
    let mut trace = PArray::new();
    let Some(s) = state(object) else { return trace };
    // SAFETY: states live as long as their objects, which the path holds; building entries runs no PHP code.
    unsafe {
        if (*s).is_done() {
            return trace;
        }
        refresh(object, s);
        let chain: Vec<*mut State> = std::iter::once(object).chain(&(*s).path).filter_map(state).filter(|t| !(**t).is_done()).collect();
        for (n, inner) in chain.iter().enumerate().rev() {
            let caller = n.checked_sub(1).and_then(|outer| chain.get(outer)).map(|outer| place(vm, *outer));
            trace.append(errors::call_entry(cx, (**inner).frame, caller, options));
        }
    }
    trace
}
