//! The PHP extension crate: date.
