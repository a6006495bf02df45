//! Any bytes as what a MySQL server says.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| jumbo_fuzz::packets(input));
