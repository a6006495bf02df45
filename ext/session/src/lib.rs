//! The PHP extension crate: session.
