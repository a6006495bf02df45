//! Any bytes as a PHP file: lexer, token stream, parser, compiler and the bytecode verifier.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| jumbo_fuzz::source(input));
