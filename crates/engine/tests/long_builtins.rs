//! Builtins that compute for long give up their turn meanwhile: every snippet is one call, and every safepoint inside of it is counted.

mod common;

use jumbo_abi::Extension;
use jumbo_engine::Running;
use jumbo_interp::stress::{self, Stress};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Waker};

static MORE: [&Extension; 10] = [
    &jumbo_ext_bcmath::EXTENSION,
    &jumbo_ext_date::EXTENSION,
    &jumbo_ext_hash::EXTENSION,
    &jumbo_ext_iconv::EXTENSION,
    &jumbo_ext_mbstring::EXTENSION,
    &jumbo_ext_openssl::EXTENSION,
    &jumbo_ext_pcre::EXTENSION,
    &jumbo_ext_random::EXTENSION,
    &jumbo_ext_strings::EXTENSION,
    &jumbo_ext_zlib::EXTENSION,
];

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

const BYTES: &str = "$s = str_repeat('abcdefgh', 100_000);";

#[test]
fn digests() {
    for call in [
        "hash('sha256', $s)",
        "hash('xxh3', $s, false, ['seed' => 1])",
        "hash_hmac('sha1', $s, 'key')",
        "md5($s)",
        "sha1($s)",
        "crc32($s)",
        "mhash(MHASH_MD5, $s)",
    ] {
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

#[test]
fn passwords() {
    check("", "password_hash('password', PASSWORD_BCRYPT, ['cost' => 8])", 20);
    check("$h = '$2y$08$abcdefghijklmnopqrstuuoD8yw7MmybLKVooaTGGZAt3HXugv2.a';", "password_verify('password', $h)", 20);
    check("", "crypt('password', '$5$rounds=20000$salt')", 10);
    check("", "crypt('password', '$6$rounds=20000$salt')", 10);
    check("", "crypt('password', '_zz..salt')", 5);
    // Long passwords: the MD5 form hashes them a thousand times, the SHA forms as often as they have bytes.
    check("$s = str_repeat('a', 10_000);", "crypt($s, '$1$salt')", 50);
    check("$s = str_repeat('a', 10_000);", "crypt($s, '$6$rounds=1000$salt')", 1000);
}

#[test]
fn comparisons() {
    check("$a = str_repeat('a', 2000); $b = str_repeat('b', 2000);", "similar_text($a, $b)", 10);
    check("$a = str_repeat('ab', 1000); $b = str_repeat('bc', 1000);", "levenshtein($a, $b)", 10);
}

#[test]
fn sorts() {
    let numbers = "$a = []; for ($n = 0, $x = 7; $n < 200_000; $n++) $a[] = $x = $x * 69069 % 4294967291;";
    check(numbers, "sort($a)", 20);
    check(numbers, "asort($a, SORT_STRING)", 20);
    check(&format!("{numbers} $a = array_flip($a);"), "krsort($a)", 20);
}

#[test]
fn shuffles() {
    check(BYTES, "str_shuffle($s)", 40);
    check("$a = range(1, 100_000);", "shuffle($a)", 5);
    check(BYTES, "(new Random\\Randomizer(new Random\\Engine\\Mt19937(1)))->shuffleBytes($s)", 40);
    check(BYTES, "(new Random\\Randomizer(new Random\\Engine\\Mt19937(1)))->getBytesFromString('ab', 1_000_000)", 10);
}

#[test]
fn headers_of_mail() {
    check("$s = str_repeat(\"a: b\\n\", 50_000);", "iconv_mime_decode_headers($s)", 20);
    check("$s = str_repeat(\"A: =?UTF-8?Q?=41?=\\r\\n\", 20_000);", "iconv_mime_decode_headers($s)", 5);
    check("$s = 'a: ' . str_repeat('=?UTF-8?Q?=41?= ', 50_000);", "iconv_mime_decode($s)", 20);
}

#[test]
fn bytes_of_ciphers() {
    check(BYTES, "openssl_digest($s, 'sha256')", 10);
    check(BYTES, "openssl_encrypt($s, 'aes-128-cbc', 'key', OPENSSL_RAW_DATA, str_repeat('i', 16))", 10);
}

#[test]
fn compression() {
    const WORDS: &str = "$s = ''; for ($n = 0, $x = 7; $n < 60_000; $n++) { $x = $x * 69069 % 4294967291; $s .= $x % 5000 . ' '; }";
    for call in ["gzcompress($s, 9)", "gzencode($s)", "gzdeflate($s, 1)", "zlib_encode($s, ZLIB_ENCODING_RAW)"] {
        check(WORDS, call, 20);
    }
    check(&format!("{WORDS} $z = deflate_init(ZLIB_ENCODING_RAW);"), "deflate_add($z, $s)", 20);
    let filter = "$f = fopen('php://memory', 'w+'); stream_filter_append($f, 'zlib.deflate', STREAM_FILTER_WRITE);";
    check(&format!("{WORDS} {filter}"), "fwrite($f, $s)", 20);
}

#[test]
fn decompression() {
    const BOMB: &str = "$s = gzcompress(str_repeat('a', 4 << 20));";
    for call in ["gzuncompress($s)", "zlib_decode($s)", "inflate_add($z, $s)"] {
        check(&format!("{BOMB} $z = inflate_init(ZLIB_ENCODING_DEFLATE);"), call, 20);
    }
    let filter = "$f = fopen('php://memory', 'w+'); stream_filter_append($f, 'zlib.inflate', STREAM_FILTER_WRITE, ['window' => 15]);";
    check(&format!("{BOMB} {filter}"), "fwrite($f, $s)", 20);
}

#[test]
fn long_numbers() {
    check("$a = str_repeat('7', 700_000);", "bcmul($a, $a)", 10);
    check("", "bcpow('7', '1000000')", 5);
    check("$a = new BcMath\\Number('7');", "$a->pow(1_000_000)", 5);
    check("$a = str_repeat('7', 1000);", "bcpowmod($a, $a, $a . '1')", 1);
}

#[test]
fn dates_and_ini_texts() {
    check("$s = 'a' . str_repeat('+', 5000);", "strtotime($s)", 50);
    check("$s = str_repeat(\"a=b\\n\", 50_000);", "parse_ini_string($s)", 5);
}

#[test]
fn shuffled_bytes_and_tags() {
    check("$r = new Random\\Randomizer(new Random\\Engine\\Mt19937(1)); $s = str_repeat('a', 50_000);", "$r->shuffleBytes($s)", 20);
    check("$s = str_repeat(\"\\x1c\\x02\\x19\\0\\0\", 50_000);", "iptcparse($s)", 5);
}

/// A match that ends after years gives up its turn all the same; others match on its thread meanwhile, and it can be ended.
#[track_caller]
fn check_endless(code: &str) {
    let endless = || common::start(&MORE, &format!("ini_set('pcre.backtrack_limit', 4_000_000_000); {code}"));
    let poll = |running: &mut Pin<Box<Running>>| running.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    let (mut first, _) = endless();
    let (mut second, _) = endless();
    // More turns than everything else takes together.
    for _ in 0..50 {
        assert!(poll(&mut first).is_pending(), "{code}");
        assert!(poll(&mut second).is_pending(), "{code}");
        let (_, output) = turns(r"echo preg_replace('/(b+)(c)?/', '$2$1', 'abbcd');");
        assert!(output.ends_with("acbbd"), "{code}: {output}");
    }
    drop(first);
    let (_, output) = turns(r"echo preg_replace('/(b+)(c)?/', '$2$1', 'abbcd');");
    assert!(output.ends_with("acbbd"), "{code}: {output}");
    assert!(poll(&mut second).is_pending(), "{code}");
}

#[test]
fn matches_without_end() {
    stress::set(Stress { preempt: true, collect: false });
    check_endless(r"preg_match('/^(a+)+$/', str_repeat('a', 60) . 'b');");
    // From one place, where the limit of backtracking counts nothing.
    check_endless(r"preg_match('/a*a*\d/', str_repeat('a', 1 << 24));");
    // Without machine code PCRE2 takes memory on the way.
    check_endless(r"ini_set('pcre.jit', 0); preg_match('/^(?:a|(a)|aa)+$/', str_repeat('a', 5000) . 'b');");
    // Oniguruma steps back for long at each place.
    check_endless(r"mb_ereg('a*a*\d', str_repeat(str_repeat('a', 500) . ' ', 10_000));");
}

#[test]
fn patterns_on_long_subjects() {
    check("$s = str_repeat('é', 40_000);", "preg_split('//u', $s)", 1000);
    check("$s = str_repeat('a ', 40_000);", r"preg_match_all('/\w/', $s, $m)", 1000);
    check("$s = str_repeat('a ', 40_000);", r"preg_replace('/\w/', 'b', $s)", 1000);
    check("$s = str_repeat('a ', 40_000);", r"preg_replace_callback('/\w/', fn($m) => 'b', $s)", 1000);
    check("$a = array_fill(0, 5000, 'a');", "preg_grep('/b/', $a)", 1000);
}
