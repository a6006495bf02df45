//! The PHP extension crate: SPL.
#![forbid(unsafe_code)]

pub mod functions;
mod generated;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "SPL",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
