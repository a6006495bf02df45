//! The PHP extension crate: tokenizer.
