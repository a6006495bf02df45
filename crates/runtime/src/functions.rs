//! Functions of units: what a file declares and its top-level code, made once for all instances, and a part of the unit.
//!
//! An instance that has a pointer to one holds the unit ([`hold`]), or runs it in a frame that does.

use crate::inherit::next_function_id;
use jumbo_abi::{Cx, FnPtr, Function};
use jumbo_bytecode::names::FUNCTIONS;
use jumbo_bytecode::unit::Unit;
use jumbo_value::hash::WordMap;
use std::sync::{Arc, OnceLock};

/// A unit's functions.
struct Functions {
    main: Function,
    /// Those that are declared somewhere, by their numbers.
    declared: Box<[OnceLock<Box<Declared>>]>,
}

struct Declared {
    /// Of the name in the tables of functions.
    handle: u32,
    function: Function,
}

/// Units whose functions an instance knows, until it ends.
#[derive(Default)]
struct Held(WordMap<usize, Arc<Unit>>);

/// Keeps the unit as long as the instance.
pub fn hold(cx: &mut Cx, unit: &Arc<Unit>) {
    cx.state::<Held>().0.entry(Arc::as_ptr(unit) as usize).or_insert_with(|| unit.clone());
}

fn functions(unit: &Arc<Unit>) -> &Functions {
    let made = unit.runtime.get_or_init(|| {
        // SAFETY: a part of the unit from now on.
        let main = unsafe { Function::of_unit(unit, &unit.main, next_function_id()) };
        Box::new(Functions { main, declared: unit.functions.iter().map(|_| OnceLock::new()).collect() })
    });
    made.downcast_ref().expect("nobody else makes anything of units")
}

/// A function that the unit declares, and the handle of its name. The caller [`hold`]s the unit.
pub fn declared(unit: &Arc<Unit>, number: u32) -> Option<(u32, FnPtr)> {
    let proto = unit.functions.get(number as usize)?;
    let declared = functions(unit).declared.get(number as usize)?.get_or_init(|| {
        let handle = FUNCTIONS.handle(&proto.name.as_bytes().to_ascii_lowercase());
        // SAFETY: a part of the unit from now on.
        Box::new(Declared { handle, function: unsafe { Function::of_unit(unit, proto, next_function_id()) } })
    });
    // SAFETY: it lives as long as the unit, which the caller holds.
    Some((declared.handle, unsafe { FnPtr::new(&declared.function) }))
}

/// The unit's top-level code outside of classes. The frame that runs it holds the unit.
pub fn main(unit: &Arc<Unit>) -> FnPtr {
    // SAFETY: as above.
    unsafe { FnPtr::new(&functions(unit).main) }
}
