//! The PHP extension crate: strings of the standard extension.
#![forbid(unsafe_code)]

pub mod pure;
