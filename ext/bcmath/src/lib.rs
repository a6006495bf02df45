//! The PHP extension crate: bcmath, decimal numbers of any length.
//!
//! | module | owns |
//! |---|---|
//! | `decimal` | the numbers and their arithmetic |
//! | `large` | calculations with very long numbers, in steps |
//! | `functions` | `bcadd` and its family |
//! | `number` | `BcMath\Number` |
#![forbid(unsafe_code)]

pub mod decimal;
pub mod functions;
mod generated;
mod large;
pub mod number;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "bcmath",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
