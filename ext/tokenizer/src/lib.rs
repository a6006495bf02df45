//! The PHP extension crate: tokenizer.
#![forbid(unsafe_code)]
