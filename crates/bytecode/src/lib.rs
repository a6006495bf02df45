//! The opcode table, the unit format, the disassembler and the verifier; knows nothing of how an opcode is executed.
//!
//! - [`op`]: every opcode, with operand kinds and meaning, in one table.
//! - [`insn`]: the instruction word and its enum of opcodes.
//! - [`unit`]: what one file compiles to.
//! - [`types`]: declared types (of parameters, properties, constants, returns), of user code and builtins alike.
//! - [`dis`]: the text form that `jumbo dis` prints.
//! - [`verify`]: checks that a function's code is well-formed (the compiler's output, in debug builds); what temporaries hold on
//!   every path is checked in `verify_temps`.
//!
//! # Adding an opcode
//! 1. Add its line to the table in [`op`], with operand kinds and a sentence.
//! 2. `cargo check` names what is missing: the handler in `jumbo-interp` (the handler table is made from the same list).
//! 3. Emit it in `jumbo-compile`.
#![forbid(unsafe_op_in_unsafe_fn)]

pub mod dis;
mod footprint;
pub mod hash;
pub mod insn;
pub mod names;
pub mod op;
pub mod types;
pub mod unit;
pub mod verify;
mod verify_temps;

pub use insn::{Insn, Kind, Op, OpInfo};
pub use op::{FRAME_HEADER, LITERAL, NONE, THIS};
