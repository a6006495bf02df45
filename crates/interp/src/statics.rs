//! Static variables of functions: one table per function and instance; closures have one each.

use crate::frame::Frame;
use crate::vm::Vm;
use jumbo_bytecode::unit::FunctionProto;
use jumbo_value::{PRef, Raw, Value};

/// The static variables of the function that a frame runs: UNDEF until initialised, then references.
///
/// # Safety
/// `fp` runs PHP code.
pub unsafe fn of_frame(vm: *mut Vm, fp: *mut Frame) -> *mut Raw {
    // SAFETY: as promised; Value is transparent over Raw.
    unsafe {
        let func = &*(*fp).func;
        if let Some(closure) = (*fp).extra_ref().and_then(|e| e.closure.as_ref())
            && let Some(table) = crate::closure::statics(closure)
        {
            return table.cast();
        }
        let proto = func.proto_unchecked();
        let table = (*vm).statics.entry(func.id).or_insert_with(|| fresh(proto));
        table.as_mut_ptr().cast()
    }
}

/// A table for a function that has not run yet: variables with a literal as their initial value have it from the start.
pub fn fresh(proto: &FunctionProto) -> Box<[Value]> {
    let initial = |raw: Raw| {
        // SAFETY: initial values are immortal literals.
        let value = unsafe { raw.copied().into_value() };
        if value.is_undef() { value } else { Value::from(PRef::new(value)) }
    };
    proto.statics.iter().map(|s| initial(s.initial)).collect()
}
