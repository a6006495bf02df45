//! The PHP extension crate: Reflection.
#![forbid(unsafe_code)]
