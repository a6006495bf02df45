//! The PHP extension crate: posix.
//!
//! | module | owns |
//! |---|---|
//! | `functions` | processes, identities, files, what the system says of itself |
//! | `limits` | resource limits and the system's variables |
//! | `accounts` | users and groups |
//!
//! What changes the process (identities, limits, sessions) works on the command line only: elsewhere many instances share one process, and such
//! a call fails as one without permission does.
#![forbid(unsafe_code)]

pub mod accounts;
pub mod functions;
mod generated;
pub mod limits;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "posix",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
