//! The interpreter: one handler an opcode, one file an opcode family.
//!
//! - [`vm`]: the machine of an instance; [`frame`]: call frames; [`dispatch`]: how handlers follow each other; [`unwind`]: errors.
//! - [`ops`]: the handlers. Their slow paths live in modules named after the rule of PHP: [`dim`], [`objects`], [`arith`], [`types`], …
//! - [`engine`]: the implementation of [`jumbo_abi::Engine`] for extensions.

pub mod arith;
pub mod builtin;
pub mod attributes;
pub mod class_constants;
pub mod closure;
pub mod convert;
pub mod coroutine;
pub mod dim;
pub mod dispatch;
pub mod display;
pub mod engine;
pub mod errors;
pub mod fiber;
pub mod frame;
pub mod gc;
pub mod generator;
pub mod include;
pub mod iteration;
pub mod lazy;
pub mod limits;
pub mod lookup;
pub mod objects;
pub mod ops;
pub mod statics;
pub mod symbols;
pub mod traverse;
pub mod type_sources;
pub mod types;
pub mod unwind;
pub mod vm;
pub mod weak;

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
