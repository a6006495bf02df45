//! The algorithms of PHP's date extension, without PHP values.
//!
//! - `calendar`: the proleptic Gregorian calendar and ISO weeks
//! - `tzif`, `timezone`: the bundled IANA database, abbreviations, and the three kinds of zone PHP has
//! - `time`: a moment with its wall clock, and how relative parts are applied to it
//! - `parse`: the language of `strtotime()`; `parse_format`: `DateTime::createFromFormat()`
//! - `format`: `date()` and `DateTime::format()`
//! - `interval`: `DateInterval`, differences, `DatePeriod`'s ISO strings
//! - `sun`: sunrise and sunset
//!
//! Invariant: nothing here panics on any input. Years, days and seconds are i64 as in PHP; what can overflow is computed in
//! i128 or with checked operations.

pub mod calendar;
pub mod format;
pub mod interval;
pub mod lookup;
pub mod oracle;
pub mod parse;
pub mod parse_format;
pub mod sun;
pub mod time;
pub mod timezone;
pub mod tzif;
