//! Builtins that compute for long give up their turn meanwhile: every snippet is one call, and every safepoint inside of it is counted.

mod common;

use jumbo_abi::Extension;
use jumbo_interp::stress::{self, Stress};
use std::future::Future;
use std::task::{Context, Waker};

static MORE: [&Extension; 1] = [&jumbo_ext_hash::EXTENSION];

/// How often the code gives up its turn when it does so at every safepoint, and what it wrote.
fn turns(code: &str) -> (u32, String) {
    stress::set(Stress { preempt: true, collect: false });
    let (mut running, output) = common::start(&MORE, code);
    let mut turns = 0;
    while running.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
        turns += 1;
    }
    (turns, output.text())
}

/// A call with arguments that `prepared` makes gives up its turn at least so many times, and its result is written.
#[track_caller]
fn check(prepared: &str, call: &str, at_least: u32) {
    let (before, _) = turns(&format!("{prepared} echo 'done';"));
    let (turns, output) = turns(&format!("{prepared} {call}; echo 'done';"));
    assert!(output.ends_with("done") && !output.contains("Warning"), "{call}: {output}");
    assert!(turns >= before + at_least, "{call}: {} turns, not {at_least}", turns - before);
}

const BYTES: &str = "$s = 'abcdefgh'; for ($n = 0; $n < 17; $n++) $s .= $s;";

#[test]
fn digests() {
    for call in ["hash('sha256', $s)", "hash('xxh3', $s, false, ['seed' => 1])", "hash_hmac('sha1', $s, 'key')", "mhash(MHASH_MD5, $s)"] {
        check(BYTES, call, 10);
    }
    check(&format!("{BYTES} $h = hash_init('md5');"), "hash_update($h, $s)", 10);
}

#[test]
fn keys_of_passwords() {
    check("", "hash_pbkdf2('sha256', 'password', 'salt', 5000, 20)", 10);
    // Many blocks of few iterations.
    check("", "hash_pbkdf2('md5', 'password', 'salt', 2, 30_000)", 5);
    check("", "mhash_keygen_s2k(MHASH_MD5, 'password', 'salt', 100_000)", 3);
}
