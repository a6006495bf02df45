//! The PHP extension crate: pdo_mysql, PDO's driver for MySQL and MariaDB on the client in `jumbo-ext-mysqlnd`.
//!
//! | module | owns |
//! |---|---|
//! | `driver` | connecting, transactions, attributes, errors |
//! | `statement` | statements, prepared by the server or not |
//! | `mysql` | the class `Pdo\Mysql` |
#![forbid(unsafe_code)]

pub mod driver;
#[rustfmt::skip]
mod generated;
pub mod mysql;
pub mod statement;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "pdo_mysql",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    services: &[&driver::DRIVER],
    ..jumbo_abi::Extension::EMPTY
};
