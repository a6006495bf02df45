//! The PHP extension crate: hash.
