//! The PHP extension crate: hash.
//!
//! | module | owns |
//! |---|---|
//! | `algorithms` | the table of names, and contexts that take data piece by piece |
//! | `checksums` | what no crate has in PHP's form: CRC, Adler, FNV, Jenkins, Murmur |
//! | `haval`, `tiger4`, `snefru` | the digests that no crate has |
//! | `keyed` | HMAC, HKDF and PBKDF2 over any of the cryptographic ones |
//! | `hash`, `hash_context` | the functions and the class |
//! | `mhash` | the functions of the mhash library |
#![forbid(unsafe_code)]

pub mod algorithms;
pub mod checksums;
mod generated;
pub mod hash;
pub mod hash_context;
mod haval;
pub mod keyed;
pub mod mhash;
mod snefru;
mod snefru_tables;
mod tiger4;

pub use algorithms::{Algorithm, Context, OptionError, Options};
pub use keyed::Hmac;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "hash",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
