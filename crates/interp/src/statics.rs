//! Static variables of functions: one table per function and instance; closures have one each.

use crate::frame::Frame;
use crate::vm::Vm;
use jumbo_bytecode::unit::FunctionProto;
use jumbo_value::{PRef, Raw, Value};

/// The static variables of the function that a frame runs: UNDEF until initialised, then references.
///
/// # Safety
/// `fp` runs PHP code.
#[inline(never)]
pub unsafe fn of_frame(vm: *mut Vm, fp: *mut Frame) -> *mut Raw {
    // SAFETY: as promised; Value is transparent over Raw.
    unsafe {
        let func = &*(*fp).func;
        if let Some(closure) = (*fp).closure()
            && let Some(table) = crate::closure::statics(&closure)
        {
            return table.cast();
        }
        let table = (*vm).statics.entry(func.id).or_insert_with(|| fresh(func.proto_unchecked()));
        table.as_mut_ptr().cast()
    }
}

/// The static variables of a function before its first call: those with a literal are initialised from the start.
pub fn fresh(proto: &FunctionProto) -> Box<[Value]> {
    proto
        .statics
        .iter()
        .map(|s| {
            if s.initial.is_undef() {
                return Value::undef();
            }
            // SAFETY: a literal of a living unit, immortal.
            Value::from(PRef::new(unsafe { s.initial.into_value() }))
        })
        .collect()
}
