//! The PHP extension crate: SPL.
#![forbid(unsafe_code)]

pub mod functions;
