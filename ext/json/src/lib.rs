//! The PHP extension crate: json.
#![forbid(unsafe_code)]

pub mod decode;
pub mod encode;
mod generated;
pub mod json;
mod plain;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "json",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
