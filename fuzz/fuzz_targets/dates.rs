//! What PHP reads as dates, formats, intervals, periods and zones.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| jumbo_fuzz::dates(input));
