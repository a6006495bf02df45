//! The PHP extension crate: strings of the standard extension.
