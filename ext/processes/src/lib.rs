//! Processes made by the script and what they are told: `pcntl_fork` and its company.
//!
//! There are no handlers of signals yet, so these functions count as part of the standard extension: programs that ask for the extension
//! pcntl want handlers. `SIGINT` waits for them as well, which some take for their sign.
#![forbid(unsafe_code)]

mod generated;
pub mod processes;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "standard",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
