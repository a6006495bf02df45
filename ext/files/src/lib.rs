//! The PHP extension crate: files and streams of the standard extension.
