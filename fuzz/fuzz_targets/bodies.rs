//! Any bytes as a request's body, above all `multipart/form-data`: as a whole and in pieces it must be the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| jumbo_fuzz::bodies(input));
