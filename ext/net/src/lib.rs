//! The PHP extension crate: addresses, names, sockets, http:// and mail of the standard extension.
//!
//! Nothing here blocks an executor: sockets are connected and accepted without blocking and waited for (`jumbo_ext_files::wait`),
//! names are looked up on tokio's threads when there is an executor.
#![forbid(unsafe_code)]

pub mod address;
pub mod connect;
pub mod dns;
#[rustfmt::skip]
mod generated;
pub mod http;
pub mod mail;
pub mod names;
pub mod sockets;
pub mod syslog;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "standard",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    wrappers: &[http::WRAPPER],
    ..jumbo_abi::Extension::EMPTY
};
