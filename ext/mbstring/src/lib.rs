//! The PHP extension crate: mbstring.
//!
//! The algorithms know bytes and code points, never PHP values; `string`, `conversion` and `settings` bind them.
//!
//! | module | owns |
//! |---|---|
//! | `encoding` | the encodings by name, decoding and encoding, what stands for errors |
//! | `table` | the tables of multi-byte encodings |
//! | `shift`, `utf7`, `transfer` | encodings with states, UTF-7, base64 and its like |
//! | `kana` | mb_convert_kana |
//! | `unicode` | case mappings and properties as PHP 8.4 has them |
//! | `case` | mb_convert_case and its relatives |
//! | `text` | length, parts, positions, width, trimming, padding |
//! | `detect` | mb_check_encoding, mb_detect_encoding |
//! | `string`, `conversion`, `settings` | the functions |
//! | `mime` | MIME headers |
//! | `output` | the output handler |
//! | `regex` | mb_ereg and its relatives, on Oniguruma |
//! | `sys` | the only unsafe code: a limit of Oniguruma that its wrapper does not know |
//! | `entity` | mb_encode_numericentity, mb_decode_numericentity |
//!
//! The tables of multi-byte encodings come from stock PHP (`tools/mbstring-tables.php`).
#![deny(unsafe_code)]

pub mod case;
pub mod conversion;
pub mod detect;
pub mod encoding;
pub mod entity;
mod generated;
pub mod kana;
pub mod mime;
pub mod output;
pub mod regex;
pub mod settings;
pub mod shift;
pub mod string;
#[allow(unsafe_code)]
mod sys;
pub mod table;
pub mod text;
pub mod transfer;
pub mod unicode;
pub mod utf7;

pub use encoding::{Encoding, Substitute};

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "mbstring",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    request_start: Some(settings::startup),
    ..jumbo_abi::Extension::EMPTY
};
