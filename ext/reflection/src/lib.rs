//! The PHP extension crate: Reflection.
