//! The PHP extension crate: iconv, in the way of glibc's.
//!
//! | module | owns |
//! |---|---|
//! | `charset` | the encodings by iconv's names, converting, what is written for what an encoding does not have |
//! | `functions` | iconv, parts and positions of strings, the encodings that are set |
//! | `mime` | headers of mail |
//! | `filter` | the stream filters `convert.iconv.*` |
#![forbid(unsafe_code)]

pub mod charset;
pub mod filter;
pub mod functions;
mod generated;
pub mod mime;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "iconv",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    filters: filter::FILTERS,
    ..jumbo_abi::Extension::EMPTY
};
