//! The PHP extension crate: mbstring.
