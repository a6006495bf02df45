//! What a connection is told before (and sometimes after) it connects.

use crate::charset::Charset;
use std::time::Duration;

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub connect_timeout: Option<Duration>,
    /// Seconds; none: `mysqlnd.net_read_timeout`.
    pub read_timeout_s: Option<u64>,
    pub charset: Option<&'static Charset>,
    pub init_commands: Vec<Vec<u8>>,
    /// LOAD DATA LOCAL may read any file.
    pub local_infile: bool,
    /// LOAD DATA LOCAL may read what is in this folder.
    pub local_infile_directory: Option<Vec<u8>>,
    /// Numbers of text results become ints and floats.
    pub native_numbers: bool,
    pub can_handle_expired_passwords: bool,
    /// Path of the server's RSA key.
    pub server_public_key: Option<Vec<u8>>,
    /// Attributes of the connection that PHP code adds.
    pub attributes: Vec<(Vec<u8>, Vec<u8>)>,
    /// The method to sign in with before the server says one.
    pub auth_method: Option<Vec<u8>>,
    /// TLS settings were given (`mysqli_ssl_set`).
    pub wants_tls: bool,
}

/// Who signs in, and where.
#[derive(Clone, Debug, Default)]
pub struct SignInAs {
    pub user: Vec<u8>,
    pub password: Vec<u8>,
    pub database: Vec<u8>,
    /// Capabilities asked for with the flags of `real_connect`.
    pub flags: u32,
}
