//! The PHP extension crate: variables, math, serialization, output and the rest of the standard extension.
#![forbid(unsafe_code)]

pub mod functions;
pub mod head;
pub mod info;
pub mod output;
pub mod serialize;
pub mod settings;
pub mod types;
pub mod var;
