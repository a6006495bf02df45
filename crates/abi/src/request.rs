//! State of one request that several extensions and the engine share.

use crate::Callable;
use jumbo_value::Value;

/// Functions to call at the end of the request, in order (`register_shutdown_function`).
#[derive(Default)]
pub struct Shutdown {
    pub functions: Vec<(Callable, Vec<Value>)>,
}

/// Raw body of the request, for `php://input`.
#[derive(Default)]
pub struct Body {
    pub bytes: Vec<u8>,
}

/// The process's SAPI name (`cli`, `fpm-fcgi`, …), set before anything runs.
pub static SAPI: std::sync::OnceLock<&'static str> = std::sync::OnceLock::new();

/// Paths of the files that this request has uploaded and that were not moved yet.
#[derive(Default)]
pub struct Uploads {
    pub files: std::collections::HashSet<Vec<u8>>,
}
