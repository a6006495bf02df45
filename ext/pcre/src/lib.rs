//! The PHP extension crate: pcre, on PCRE2 with its JIT.
//!
//! The engine part knows bytes and offsets only, never PHP values; `preg` binds the builtins to it.
//!
//! | module | owns |
//! |---|---|
//! | `sys` | the only unsafe code: safe handles over PCRE2's C interface |
//! | `pattern` | PHP's delimiters and modifiers, and the texts of its warnings |
//! | `regex` | compiled patterns and the process-wide cache of them |
//! | `matcher` | one match at a time, limits, error codes, and the walk over all matches |
//! | `windows` | how matches on long subjects are interrupted |
//! | `replace` | replacement templates and the core of preg_replace and its relatives |
//! | `split` | preg_split |
//! | `quote` | preg_quote |
//! | `preg` | the preg_* functions, their arrays, callbacks and errors |

#![deny(unsafe_code)]

mod generated;
pub mod matcher;
pub mod pattern;
pub mod preg;
pub mod quote;
pub mod regex;
pub mod replace;
pub mod split;
#[allow(unsafe_code)]
mod sys;

pub use matcher::{MatchError, Matcher, Settings, Step, Walk};
pub use pattern::PatternError;
pub use regex::Regex;
pub use replace::Template;

/// The PCRE2 version as `PCRE_VERSION` shows it, such as `10.46 2025-08-27`.
pub fn library_version() -> String {
    sys::library_version()
}

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "pcre",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
