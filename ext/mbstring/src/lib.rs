//! The PHP extension crate: mbstring.
//!
//! The algorithms below know bytes and code points, never PHP values.
//!
//! | module | owns |
//! |---|---|
//! | `encoding` | the encodings by name, decoding and encoding, what stands for errors |
//! | `unicode` | case mappings and properties as PHP 8.4 has them |
//! | `case` | mb_convert_case and its relatives |
//! | `text` | length, parts, positions, width, trimming, padding |
//! | `detect` | mb_check_encoding, mb_detect_encoding |
//! | `entity` | mb_encode_numericentity, mb_decode_numericentity |
//!
//! Not there yet: the Japanese mobile and JIS X 0213 forms, UTF-7, HZ, ISO-2022-KR, EUC-TW, the transfer encodings as
//! encodings, and MIME headers.
#![forbid(unsafe_code)]

pub mod case;
pub mod detect;
pub mod encoding;
pub mod entity;
pub mod text;
pub mod unicode;

pub use encoding::{Encoding, Substitute};
