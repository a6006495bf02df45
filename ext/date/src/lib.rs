//! The PHP extension crate: date.
//!
//! `core` holds the algorithms (calendar, time zones, parsing, formatting, intervals) on bytes and integers alone, so that
//! they can be tested without an engine; the PHP functions and classes are thin bindings over it.
//!
//! | module | owns |
//! |---|---|
//! | `state` | the native state of DateTime and DateTimeImmutable, and the error of objects that have none |
//! | `settings` | the default zone and the clock |
//! | `clock` | date, mktime, strtotime and the other functions on timestamps; `strftime`, `sun` likewise |
//! | `moment` | what both date classes share; `changes` computes new moments |
//! | `date_time`, `date_time_immutable` | how each takes a change over |
//! | `date_time_zone`, `date_interval`, `date_period` | the other classes |
//! | `procedural` | the functions that are more than another name of a method |
//! | `parsed` | what a date string says, as arrays; the errors of the last one |
#![forbid(unsafe_code)]

pub mod changes;
pub mod clock;
pub mod core;
pub mod date_interval;
pub mod date_period;
pub mod date_time;
pub mod date_time_immutable;
pub mod date_time_zone;
mod generated;
pub mod moment;
pub mod parsed;
pub mod procedural;
pub mod settings;
pub mod state;
pub mod strftime;
pub mod sun;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "date",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    request_start: Some(settings::check_configuration),
    ..jumbo_abi::Extension::EMPTY
};
