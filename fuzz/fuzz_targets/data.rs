//! Any bytes as serialized data: `unserialize` and `json_decode`, and back again.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| jumbo_fuzz::data(input));
