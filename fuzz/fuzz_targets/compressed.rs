//! Any bytes as what zlib reads: at once, in pieces, through the filter, as a file.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| jumbo_fuzz::compressed(input));
