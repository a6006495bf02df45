//! mysqli: the classes and functions, on top of the client in `jumbo-ext-mysqlnd`.
//!
//! - [`link`]: what `mysqli` objects hold, and how errors are reported. [`mysqli`], [`connect`], [`transactions`], [`poll`]: connections.
//! - [`mysqli_result`], [`mysqli_stmt`], [`mysqli_warning`]: what queries give. [`mysqli_driver`]: settings of the instance.
//! - [`properties`]: properties that are computed when they are read.
//!
//! # Invariants
//! Connections are borrowed only while the client works. Warnings and exceptions come afterwards, when error handlers may use the same
//! connection again; so do callers hold counts on what they use after a call that may run PHP code.
#![forbid(unsafe_code)]

pub mod connect;
pub mod functions;
#[rustfmt::skip]
mod generated;
pub mod link;
pub mod mysqli;
pub mod mysqli_driver;
pub mod mysqli_result;
pub mod mysqli_sql_exception;
pub mod mysqli_stmt;
pub mod mysqli_warning;
pub mod poll;
pub mod properties;
pub mod transactions;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "mysqli",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    info: Some(functions::info),
    ..jumbo_abi::Extension::EMPTY
};
