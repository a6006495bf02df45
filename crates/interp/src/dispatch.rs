//! Dispatch: how one handler leads to the next.
//!
//! A handler is a leaf function `fn(pc, fp, vm, lits) -> pc` that ends in [`next!`]. In optimised builds that is a tail call (LLVM makes
//! it a sibling call: the arguments stay in registers); in debug builds the handler returns the next `pc` and [`run_loop`] calls on.
//! A null `pc` ends the running loop. What keeps the sibling calls: no local whose address escapes, no value with a destructor
//! alive across the dispatch, slow paths in separate `#[inline(never)]` functions.

use crate::frame::Frame;
use crate::vm::Vm;
use jumbo_bytecode::{Insn, Op};
use jumbo_value::Raw;

/// One opcode's code.
pub type Handler = unsafe fn(*const Insn, *mut Frame, *mut Vm, *const Raw) -> *const Insn;

macro_rules! table {
    ($($(#[doc = $doc:literal])* $name:ident [$($k:tt)*] [$($e:ident)*];)*) => {
        /// Handlers by opcode, made from the opcode table.
        pub static HANDLERS: [Handler; Op::COUNT] = [$(crate::ops::$name,)*];
    };
}
jumbo_bytecode::for_each_op!(table);

/// Goes to the instruction at `pc`.
///
/// # Safety
/// `pc` points at verified code of `fp`'s function, whose literals are `lits`.
#[inline(always)]
pub unsafe fn dispatch(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    #[cfg(not(debug_assertions))]
    {
        // SAFETY: the verifier refuses words that are no opcode.
        unsafe {
            let op = (*pc).opcode() as usize;
            let handler = *HANDLERS.as_ptr().add(op);
            handler(pc, fp, vm, lits)
        }
    }
    #[cfg(debug_assertions)]
    {
        // SAFETY: the machine outlives its handlers.
        unsafe {
            (*vm).loop_fp = fp;
            (*vm).loop_lits = lits;
        }
        pc
    }
}

/// Runs from `pc` until a handler says the end (null).
///
/// # Safety
/// As [`dispatch`].
pub unsafe fn run_loop(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) {
    #[cfg(not(debug_assertions))]
    // SAFETY: as promised.
    unsafe {
        dispatch(pc, fp, vm, lits);
    }
    #[cfg(debug_assertions)]
    // SAFETY: handlers keep `loop_fp` and `loop_lits` current.
    unsafe {
        let (mut pc, mut fp, mut lits) = (pc, fp, lits);
        while !pc.is_null() {
            let handler = HANDLERS[(*pc).opcode() as usize];
            pc = handler(pc, fp, vm, lits);
            fp = (*vm).loop_fp;
            lits = (*vm).loop_lits;
        }
    }
}

/// Ends a handler: on to the instruction `$n` words further.
#[macro_export]
macro_rules! next {
    ($pc:ident, $fp:ident, $vm:ident, $lits:ident, $n:expr) => {
        return $crate::dispatch::dispatch($pc.add($n), $fp, $vm, $lits)
    };
}

/// Ends a handler with a jump of `$offset` words.
#[macro_export]
macro_rules! jump {
    ($pc:ident, $fp:ident, $vm:ident, $lits:ident, $offset:expr) => {
        return $crate::dispatch::dispatch($pc.offset($offset as isize), $fp, $vm, $lits)
    };
}

/// Ends a handler in a function of its own with the same arguments, for what seldom happens: the handler's fast path keeps no frame on
/// the native stack then, because nothing comes back to it. `cold!(pc, fp, vm, lits, { … })`; the block ends like a handler.
#[macro_export]
macro_rules! cold {
    ($pc:ident, $fp:ident, $vm:ident, $lits:ident, $body:block) => {{
        #[cold]
        #[inline(never)]
        #[allow(unused_variables)]
        unsafe fn cold(
            $pc: *const jumbo_bytecode::Insn,
            $fp: *mut $crate::frame::Frame,
            $vm: *mut $crate::vm::Vm,
            $lits: *const jumbo_value::Raw,
        ) -> *const jumbo_bytecode::Insn {
            // SAFETY: as the handler.
            unsafe { $body }
        }
        return cold($pc, $fp, $vm, $lits);
    }};
}

/// Defines handlers: `op!(Name(pc, fp, vm, lits) { … })`.
#[macro_export]
macro_rules! op {
    ($($(#[$attr:meta])* $name:ident($pc:ident, $fp:ident, $vm:ident, $lits:ident) $body:block)*) => {
        $(
            /// Handler; see the opcode table for the meaning.
            ///
            /// # Safety
            /// As [`dispatch`]($crate::dispatch::dispatch).
            $(#[$attr])*
            #[allow(non_snake_case, unused_variables)]
            pub unsafe fn $name(
                $pc: *const jumbo_bytecode::Insn,
                $fp: *mut $crate::frame::Frame,
                $vm: *mut $crate::vm::Vm,
                $lits: *const jumbo_value::Raw,
            ) -> *const jumbo_bytecode::Insn {
                // SAFETY: the verifier checked operands; registers of the frame are in its memory.
                unsafe { $body }
            }
        )*
    };
}

/// Runs a fallible slow path: `let v = tri!(expr, pc, fp, vm, lits);` goes to the unwinder on `Err`.
#[macro_export]
macro_rules! tri {
    ($e:expr, $pc:ident, $fp:ident, $vm:ident) => {
        match $e {
            Ok(v) => v,
            Err(stop) => return $crate::unwind::unwind(stop, $pc, $fp, $vm),
        }
    };
}
