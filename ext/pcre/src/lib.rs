//! The PHP extension crate: pcre, on PCRE2 with its JIT.
