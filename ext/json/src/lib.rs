//! The PHP extension crate: json.
