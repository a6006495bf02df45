//! Prints what the date algorithms make of each line of standard input, for comparison with stock PHP
//! (`tests/oracle/*.php` print the same for PHP).
//!
//! `date_oracle parse` prints `date_parse()` results; `date_oracle resolve ZONE TIMESTAMP` what `strtotime()` gives.
use jumbo_ext_date::core::oracle;
use std::io::{BufRead, Write, stdin, stdout};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut out = stdout().lock();
    for line in stdin().lock().split(b'\n') {
        let Ok(line) = line else { break };
        if writeln!(out, "{}", oracle::answer(&args, &line)).is_err() {
            break;
        }
    }
}
