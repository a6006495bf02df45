//! The PHP extension crate: strings of the standard extension.
//!
//! `pure` holds the algorithms, on bytes; the other modules bind them, one for each stub file.
#![forbid(unsafe_code)]

pub mod encode;
pub mod format;
mod generated;
pub mod html;
pub mod join;
mod leaves;
pub mod password;
pub mod pure;
pub mod replace;
pub mod string;
pub mod url;

/// A part of the standard extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "standard",
    functions: generated::FUNCTIONS,
    leaves: leaves::LEAVES,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
