//! The PHP extension crate: SPL.
