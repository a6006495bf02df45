//! The PHP extension crate: ctype.
