//! The PHP extension crate: variables, math, serialization, output and the rest of the standard extension.
#![forbid(unsafe_code)]

pub mod var;
