//! The PHP extension crate: variables, math, serialization, output and the rest of the standard extension.
#![forbid(unsafe_code)]

pub mod assertion;
pub mod browscap;
pub mod dump;
pub mod functions;
mod generated;
mod getopt;
pub mod head;
pub mod highlight;
pub mod incomplete;
pub mod info;
pub mod math;
pub mod output;
pub mod parse_ini;
pub mod phpinfo;
pub mod process;
mod rounding;
pub mod rewrite;
pub mod serialize;
pub mod settings;
pub mod strptime;
pub mod types;
pub mod var;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "standard",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    request_start: Some(assertion::startup),
    ..jumbo_abi::Extension::EMPTY
};
