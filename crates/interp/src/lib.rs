//! The interpreter: one handler an opcode, one file an opcode family.
//!
//! - [`vm`]: the machine of an instance; [`frame`]: call frames; [`dispatch`]: how handlers follow each other; [`unwind`]: errors.
//! - [`ops`]: the handlers. Their slow paths live in modules named after the rule of PHP: [`dim`], [`objects`], [`arith`], [`types`], …
//! - [`engine`]: the implementation of [`jumbo_abi::Engine`] for extensions.

pub(crate) mod arith;
pub mod builtin;
pub(crate) mod attributes;
pub(crate) mod class_constants;
pub(crate) mod closure;
pub(crate) mod convert;
pub mod coroutine;
pub(crate) mod dim;
pub(crate) mod dispatch;
pub(crate) mod display;
pub mod engine;
pub mod errors;
pub(crate) mod fiber;
pub(crate) mod frame;
pub(crate) mod gc;
pub(crate) mod generator;
pub mod include;
pub(crate) mod inspect;
pub(crate) mod iteration;
pub(crate) mod lazy;
pub mod limits;
pub(crate) mod lookup;
pub mod objects;
pub(crate) mod ops;
pub(crate) mod sites;
pub(crate) mod pins;
pub(crate) mod statics;
pub mod stress;
pub(crate) mod symbols;
pub(crate) mod trace_words;
mod traverse;
pub(crate) mod type_sources;
pub(crate) mod types;
pub(crate) mod unwind;
pub mod vm;
pub(crate) mod weak;

// What the crate keeps to itself is called directly in position-independent code: no public names without need.
use jumbo_abi::{FnPtr, Res};
use jumbo_value::Value;

/// `zend.assertions` is 1.
///
/// # Safety
/// The machine is live.
pub unsafe fn assertions_on(vm: *mut vm::Vm) -> bool {
    // SAFETY: as promised.
    unsafe { vm::Vm::cx(vm) }.ini.int("zend.assertions") > 0
}

/// Calls a builtin for an opcode that stands for it.
///
/// # Safety
/// The machine is live.
pub unsafe fn call_with_strictness(vm: *mut vm::Vm, function: FnPtr, args: &[Value]) -> Res<Value> {
    // SAFETY: as promised.
    unsafe { vm::Vm::call_function(vm, function, None, None, args, None) }
}

/// What must go while the instance's context and machine are still there: suspended fibers, generators' frames. No PHP code runs.
pub fn end_instance() {
    fiber::abandon_all();
    generator::release_frames();
}
