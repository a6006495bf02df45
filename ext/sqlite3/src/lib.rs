//! The PHP extension crate: sqlite3. Also SQLite itself (`sys`), for the PDO driver.
//!
//! | module | owns |
//! |---|---|
//! | `sys` | calling SQLite |
//! | `sqlite3` | the class SQLite3 |
//! | `sqlite3_stmt` | the class SQLite3Stmt: bound parameters |
//! | `sqlite3_result` | the class SQLite3Result |
//! | `authorizer` | the authorizer, and open_basedir |
#![deny(unsafe_code)]

pub mod authorizer;
mod generated;
pub mod sqlite3;
pub mod sqlite3_result;
pub mod sqlite3_stmt;
#[allow(unsafe_code)]
pub mod sys;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "sqlite3",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    info: Some(info),
    ..jumbo_abi::Extension::EMPTY
};

fn info(_cx: &mut jumbo_abi::Cx) -> Vec<(String, String)> {
    let version = String::from_utf8_lossy(&sys::version().0).into_owned();
    vec![("SQLite3 support".to_owned(), "enabled".to_owned()), ("SQLite Library".to_owned(), version)]
}
