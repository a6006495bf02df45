//! The PHP extension crate: filter.
//!
//! | module | owns |
//! |---|---|
//! | `filter` | the functions, and how filters, flags and options are applied to values and arrays |
//! | `validate` | the validating filters: numbers, booleans, domains, URLs, e-mail and MAC addresses |
//! | `ip` | IP addresses and their ranges |
//! | `sanitize` | the filters that change text |
#![forbid(unsafe_code)]

pub mod filter;
mod generated;
mod ip;
mod sanitize;
mod validate;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "filter",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    request_start: Some(filter::request_start),
    ..jumbo_abi::Extension::EMPTY
};
