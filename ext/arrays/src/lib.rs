//! The PHP extension crate: arrays of the standard extension.
