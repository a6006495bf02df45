//! The PHP extension crate: json.
#![forbid(unsafe_code)]

pub mod decode;
pub mod encode;
pub mod json;
