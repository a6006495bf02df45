//! Constants that depend on the process.

use jumbo_abi::{PStr, Value};
use std::os::unix::ffi::OsStrExt;

/// `PHP_SAPI`
pub fn sapi() -> Value {
    Value::from(PStr::new(jumbo_abi::request::SAPI.get().copied().unwrap_or("cli").as_bytes()))
}

/// `PHP_BINARY`: empty when the system does not tell.
pub fn binary() -> Value {
    let path = std::env::current_exe().unwrap_or_default();
    Value::from(PStr::new(path.as_os_str().as_bytes()))
}
