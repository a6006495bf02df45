//! The PHP extension crate: zlib.
//!
//! | module | owns |
//! |---|---|
//! | `codec` | compressing and decompressing pieces of data |
//! | `functions` | the functions on strings and on files |
//! | `context` | deflate_init, inflate_init and what belongs to them |
//! | `file` | compressed files: the stream and the wrapper `compress.zlib` |
//! | `filters` | the stream filters `zlib.deflate` and `zlib.inflate` |
//! | `output` | compressed output: ob_gzhandler, `zlib.output_compression` |
#![forbid(unsafe_code)]

pub mod codec;
pub mod context;
pub mod file;
pub mod filters;
pub mod functions;
mod generated;
pub mod output;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "zlib",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    request_start: Some(output::request_start),
    wrappers: &[file::WRAPPER],
    filters: filters::FILTERS,
    ..jumbo_abi::Extension::EMPTY
};
