//! Static variables of functions: one table per function and instance; closures have one each.

use crate::frame::Frame;
use crate::vm::Vm;
use jumbo_value::{Raw, Value};

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
        let n = func.proto_unchecked().statics.len();
        let table =
            (*vm).statics.entry(func.id).or_insert_with(|| (0..n).map(|_| Value::undef()).collect::<Vec<_>>().into());
        table.as_mut_ptr().cast()
    }
}
