//! The PHP extension crate: PDO. Drivers are extensions of their own, see [`driver`].
//!
//! | module | owns |
//! |---|---|
//! | `driver` | what a driver implements |
//! | `scanner` | placeholders in SQL |
//! | `pdo` | the class PDO: connecting, attributes, transactions |
//! | `connection` | its state |
//! | `attributes` | attributes that are the same for all drivers |
//! | `persistent` | connections that outlive a request |
//! | `pdo_statement` | the class PDOStatement |
//! | `statement` | its state, preparing, executing |
//! | `parameters` | bound parameters and columns, emulation |
//! | `fetch` | fetch modes: how a row becomes a value |
//! | `pdo_row` | PDORow, the row that is read when asked |
//! | `error`, `sqlstate` | errors and their words |
#![forbid(unsafe_code)]

pub mod attributes;
pub mod connection;
pub mod driver;
pub mod error;
pub mod fetch;
mod generated;
pub mod parameters;
pub mod pdo;
pub mod pdo_row;
pub mod pdo_statement;
pub mod persistent;
pub mod scanner;
pub mod sqlstate;
pub mod statement;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "PDO",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    request_end: Some(persistent::request_end),
    info: Some(info),
    ..jumbo_abi::Extension::EMPTY
};

fn info(_cx: &mut jumbo_abi::Cx) -> Vec<(String, String)> {
    let drivers: Vec<&str> = driver::all().iter().map(|d| d.name).collect();
    vec![("PDO support".to_owned(), "enabled".to_owned()), ("PDO drivers".to_owned(), drivers.join(", "))]
}
