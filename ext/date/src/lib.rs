//! The PHP extension crate: date.
//!
//! `core` holds the algorithms (calendar, time zones, parsing, formatting, intervals) on bytes and integers alone, so that
//! they can be tested without an engine; the PHP functions and classes are thin bindings over it.
#![forbid(unsafe_code)]

pub mod core;
