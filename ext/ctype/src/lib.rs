//! The PHP extension crate: ctype.
#![forbid(unsafe_code)]

pub mod ctype;
mod generated;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "ctype",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
