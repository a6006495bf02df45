//! What is made of a unit once for all instances, and is a part of it: the functions that it declares, its top-level code, its classes.
//!
//! None of it has a count of the unit: an instance that has a pointer to a part holds the unit (`Cx::hold_unit`), or runs it in a frame that does.

use crate::inherit::next_function_id;
use crate::link::Classes;
use jumbo_abi::{FnPtr, Function};
use jumbo_bytecode::names::FUNCTIONS;
use jumbo_bytecode::unit::Unit;
use std::sync::{Arc, OnceLock};

struct Parts {
    main: Function,
    /// The functions that are declared somewhere, by their numbers.
    declared: Box<[OnceLock<Box<Declared>>]>,
    classes: Classes,
}

struct Declared {
    /// Of the name in the tables of functions.
    handle: u32,
    function: Function,
}

fn parts(unit: &Arc<Unit>) -> &Parts {
    let made = unit.runtime.get_or_init(|| {
        // SAFETY: a part of the unit from now on.
        let main = unsafe { Function::of_unit(unit, &unit.main, next_function_id()) };
        let declared = unit.functions.iter().map(|_| OnceLock::new()).collect();
        Box::new(Parts { main, declared, classes: Classes::default() })
    });
    made.downcast_ref().expect("nobody else makes anything of units")
}

/// A function that the unit declares, and the handle of its name. The caller holds the unit.
pub fn declared(unit: &Arc<Unit>, number: u32) -> Option<(u32, FnPtr)> {
    let proto = unit.functions.get(number as usize)?;
    let declared = parts(unit).declared.get(number as usize)?.get_or_init(|| {
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
    unsafe { FnPtr::new(&parts(unit).main) }
}

/// The classes that the unit declares, as they were linked so far.
pub fn classes(unit: &Arc<Unit>) -> &Classes {
    &parts(unit).classes
}
