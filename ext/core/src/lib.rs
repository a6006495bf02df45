//! The Core extension: base interfaces and exceptions, functions about functions, classes, errors and the engine, the main
//! settings. Closures, generators and fibers come from the interpreter.
#![forbid(unsafe_code)]

pub mod attributes;
pub mod constants;
pub mod error_exception;
pub mod errors;
pub mod exception;
pub mod functions;
mod generated;
pub mod objects;
pub mod settings;
pub mod strings;
pub mod symbols;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "Core",
    functions: generated::FUNCTIONS,
    leaves: &[
        ("strlen", strings::strlen_of_text),
        ("function_exists", functions::function_of_name_exists),
        ("defined", symbols::constant_of_name_defined),
    ],
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    request_start: Some(settings::check_configuration),
    ..jumbo_abi::Extension::EMPTY
};
