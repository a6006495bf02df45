//! The PHP extension crate: mbstring.
//!
//! The algorithms know bytes and code points, never PHP values; `string`, `conversion` and `settings` bind them.
//!
//! | module | owns |
//! |---|---|
//! | `encoding` | the encodings by name, decoding and encoding, what stands for errors |
//! | `unicode` | case mappings and properties as PHP 8.4 has them |
//! | `case` | mb_convert_case and its relatives |
//! | `text` | length, parts, positions, width, trimming, padding |
//! | `detect` | mb_check_encoding, mb_detect_encoding |
//! | `string`, `conversion`, `settings` | the functions |
//! | `mime` | MIME headers |
//! | `output` | the output handler |
//! | `regex` | mb_ereg and its relatives, on Oniguruma |
//! | `entity` | mb_encode_numericentity, mb_decode_numericentity |
//!
//! Not there yet: the Japanese mobile and JIS X 0213 forms, UTF-7, HZ, ISO-2022-KR, EUC-TW, the transfer encodings as
//! encodings of mb_detect_encoding, and kana.
#![forbid(unsafe_code)]

pub mod case;
pub mod conversion;
pub mod detect;
pub mod encoding;
pub mod entity;
mod generated;
pub mod mime;
pub mod output;
pub mod regex;
pub mod settings;
pub mod string;
pub mod text;
pub mod unicode;

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
