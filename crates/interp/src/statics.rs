//! Static variables of functions: one table per function and instance; closures have one each.

use crate::frame::Frame;
use crate::vm::Vm;
use jumbo_bytecode::unit::FunctionProto;
use jumbo_value::hash::WordMap;
use jumbo_value::{PRef, Raw, Value};

/// The tables of an instance, by function id.
#[derive(Default)]
pub struct Statics {
    tables: WordMap<u64, Box<[Value]>>,
    recent: [Recent; RECENT],
}

/// A table that was asked for lately; null: none.
#[derive(Clone, Copy)]
struct Recent {
    function: u64,
    table: *mut Raw,
}

const RECENT: usize = 32;

impl Default for Recent {
    fn default() -> Recent {
        Recent { function: 0, table: std::ptr::null_mut() }
    }
}

impl Statics {
    pub fn get(&self, function: u64) -> Option<&[Value]> {
        self.tables.get(&function).map(|table| &**table)
    }
    pub fn remove(&mut self, function: u64) {
        if self.tables.remove(&function).is_some() {
            self.recent = Default::default();
        }
    }
    pub fn clear(&mut self) {
        *self = Statics::default();
    }
    /// The table of a function that may be met for the first time.
    fn find(&mut self, function: u64, proto: &FunctionProto) -> *mut Raw {
        // A table stays where it is: it is a block of its own. Value is transparent over Raw.
        let table = self.tables.entry(function).or_insert_with(|| fresh(proto)).as_mut_ptr().cast();
        self.recent[function as usize % RECENT] = Recent { function, table };
        table
    }
}

/// The static variables of the function that a frame runs: UNDEF until initialised, then references.
///
/// # Safety
/// `fp` runs PHP code.
#[inline(always)]
pub unsafe fn of_frame(vm: *mut Vm, fp: *mut Frame) -> *mut Raw {
    // SAFETY: as promised.
    unsafe {
        let function = (*(*fp).func).id;
        let recent = (*vm).statics.recent[function as usize % RECENT];
        if recent.function == function && !recent.table.is_null() && !(*fp).has_extra() { recent.table } else { of_any_frame(vm, fp) }
    }
}

#[inline(never)]
unsafe fn of_any_frame(vm: *mut Vm, fp: *mut Frame) -> *mut Raw {
    // SAFETY: as promised.
    unsafe {
        let func = &*(*fp).func;
        if let Some(closure) = (*fp).closure()
            && let Some(table) = crate::closure::statics(&closure)
        {
            return table.cast();
        }
        (*vm).statics.find(func.id, func.proto_unchecked())
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
