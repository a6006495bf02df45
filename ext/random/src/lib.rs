//! The PHP extension crate: random.
