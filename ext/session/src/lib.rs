//! The PHP extension crate: session.
#![forbid(unsafe_code)]
