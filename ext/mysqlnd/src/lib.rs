//! The client of MySQL and MariaDB servers, with mysqlnd's semantics: what mysqli and pdo_mysql are built on.
//!
//! - [`wire`], [`packet`], [`row`], [`auth`], [`charset`]: bytes to facts and back; no input or output, nothing panics on what a server sends.
//! - [`transport`]: the socket. [`connection`], [`sign_in`], [`infile`]: the conversation. [`result`], [`statement`]: rows.
//! - [`pool`]: persistent connections. [`queue`]: servers that have too many connections.
//!
//! There is no TLS and no compression yet: a script that asks for TLS gets an error, one that asks for compression goes without.
#![forbid(unsafe_code)]

pub mod auth;
pub mod charset;
pub mod connection;
pub mod error;
#[rustfmt::skip]
mod generated;
pub mod infile;
pub mod options;
pub mod packet;
pub mod pool;
pub mod queue;
pub mod result;
pub mod row;
pub mod sign_in;
pub mod statement;
pub mod stats;
pub mod transport;
pub mod wire;

/// As `mysqli_get_client_info` gives it.
pub const CLIENT_INFO: &str = "mysqlnd 8.4.24";
/// As `mysqli_get_client_version` gives it.
pub const CLIENT_VERSION: i64 = 80424;

/// phpinfo's lines.
fn info(_cx: &mut jumbo_abi::Cx) -> Vec<(String, String)> {
    [("mysqlnd", "enabled"), ("Version", CLIENT_INFO), ("Compression", "not supported"), ("core SSL", "not supported")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
}

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "mysqlnd",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    info: Some(info),
    ..jumbo_abi::Extension::EMPTY
};
