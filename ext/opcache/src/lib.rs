//! The PHP extension Zend OPcache: what PHP code may know of the cache of compiled files, and do to it.
#![forbid(unsafe_code)]

mod configuration;
mod generated;
pub mod opcache;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "Zend OPcache",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
