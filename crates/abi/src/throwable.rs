//! Exceptions as builtins see them: the slots of Exception and Error, and the user's handlers.

use crate::Callable;
use jumbo_value::PStr;

/// Slots of Exception and Error, in the order of their declaration in ext/core's stubs.
pub mod slots {
    pub const MESSAGE: u32 = 0;
    pub const STRING: u32 = 1;
    pub const CODE: u32 = 2;
    pub const FILE: u32 = 3;
    pub const LINE: u32 = 4;
    pub const TRACE: u32 = 5;
    pub const PREVIOUS: u32 = 6;
    /// Of ErrorException.
    pub const SEVERITY: u32 = 7;
}

/// The user's handlers, and what the last error was. A state of the instance (`cx.state::<Handlers>()`).
#[derive(Default)]
pub struct Handlers {
    /// With the mask of levels that it handles. Absent while it runs: errors inside it are PHP's own affair.
    pub error: Option<(Callable, u32)>,
    pub error_stack: Vec<Option<(Callable, u32)>>,
    pub exception: Option<Callable>,
    pub exception_stack: Vec<Option<Callable>>,
    /// type, message, file, line.
    pub last_error: Option<(u32, PStr, PStr, u32)>,
    /// Instructions that go on although an exception was thrown in the middle of them: diagnostics are not told meanwhile, but fail.
    pub despite: u32,
    /// The request is at its end, where all objects are destructed.
    pub ending: bool,
}
