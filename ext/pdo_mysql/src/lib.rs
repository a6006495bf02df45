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

/// phpinfo's lines.
fn info(_cx: &mut jumbo_abi::Cx) -> Vec<(String, String)> {
    [("PDO Driver for MySQL", "enabled"), ("Client API version", jumbo_ext_mysqlnd::CLIENT_INFO)].map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "pdo_mysql",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    services: &[&driver::DRIVER],
    info: Some(info),
    ..jumbo_abi::Extension::EMPTY
};
