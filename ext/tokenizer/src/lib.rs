//! The PHP extension crate: tokenizer, over the lexer of `jumbo-syntax`.
#![forbid(unsafe_code)]

mod generated;
mod ids;
pub mod php_token;
pub mod tokenizer;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "tokenizer",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
