//! The PHP extension crate: pdo_sqlite.
//!
//! | module | owns |
//! |---|---|
//! | `driver` | connecting, transactions, attributes, errors |
//! | `statement` | prepared statements |
//! | `sqlite` | the class `Pdo\Sqlite`: functions in PHP, large objects |
//! | `file_name` | which files may be opened |
#![forbid(unsafe_code)]

pub mod driver;
pub mod file_name;
mod generated;
pub mod sqlite;
pub mod statement;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "pdo_sqlite",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    info: Some(info),
    services: &[&driver::DRIVER],
    ..jumbo_abi::Extension::EMPTY
};

fn info(_cx: &mut jumbo_abi::Cx) -> Vec<(String, String)> {
    let version = String::from_utf8_lossy(&jumbo_ext_sqlite3::sys::version().0).into_owned();
    vec![("PDO Driver for SQLite 3.x".to_owned(), "enabled".to_owned()), ("SQLite Library".to_owned(), version)]
}
