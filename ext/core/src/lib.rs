//! The PHP extension crate: Core functions, base classes, closures, generators.
