//! The PHP extension crate: calendar.
//!
//! | module | owns |
//! |---|---|
//! | `days` | day numbers and dates of the four calendars, Easter |
//! | `hebrew` | Jewish dates in Hebrew letters |
//! | `functions` | the PHP functions |
#![forbid(unsafe_code)]

pub mod days;
pub mod functions;
mod generated;
pub mod hebrew;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "calendar",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
