//! Any bytes as the data of a session, in the three formats.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| jumbo_fuzz::sessions(input));
