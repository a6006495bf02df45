//! The handlers: one function an opcode, named as the opcode, one file a family.

#[macro_use]
mod macros;
pub mod arith;
pub mod calls;
pub mod classes;
pub mod compare;
pub mod dims;
pub mod exceptions;
pub mod iter;
pub mod jumps;
pub mod misc;
pub mod moves;
pub mod operand;
pub mod props;
pub mod vars;
pub mod yields;

pub use arith::*;
pub use calls::*;
pub use classes::*;
pub use compare::*;
pub use dims::*;
pub use exceptions::*;
pub use iter::*;
pub use jumps::*;
pub use misc::*;
pub use moves::*;
pub use props::*;
pub use vars::*;
pub use yields::*;
