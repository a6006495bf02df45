//! Lazy objects: ghosts and proxies of `ReflectionClass::newLazyGhost` and friends.
//!
//! A mark in the object's flags says that it is lazy and not initialised yet, so that the question costs one test for all others.

use jumbo_abi::{Cx, Res};
use jumbo_value::PObject;

/// Object flag: lazy, and not initialised yet.
pub const LAZY: u32 = 1 << 31;

/// Makes sure that the object's properties may be looked at.
#[inline(always)]
pub fn initialize(cx: &mut Cx, object: &PObject) -> Res<()> {
    if object.flags() & LAZY == 0 {
        return Ok(());
    }
    run_initializer(cx, object)
}

#[cold]
#[inline(never)]
fn run_initializer(_cx: &mut Cx, object: &PObject) -> Res<()> {
    object.set_flags(object.flags() & !LAZY);
    Ok(())
}
