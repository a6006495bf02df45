//! Builtins whose result or whose intermediate data grow with their input look at memory_limit before they take the memory.

use std::process::{Command, Stdio};

/// A builtin and a program in which it wants more than the limit.
const CASES: &[(&str, &str)] = &[
    ("shell_exec", "shell_exec('head -c 500000000 /dev/zero');"),
    ("exec", "exec('head -c 500000000 /dev/zero');"),
    ("php://memory", "$f = fopen('php://memory', 'w+'); $s = str_repeat('a', 1 << 20); while (true) { fwrite($f, $s); }"),
    ("php://memory seek", "$f = fopen('php://memory', 'w+'); fseek($f, 1 << 32); fwrite($f, 'a');"),
    ("php://memory ftruncate", "$f = fopen('php://memory', 'w+'); ftruncate($f, 1 << 32);"),
    ("mb_convert_encoding", "mb_convert_encoding(str_repeat('a', 50_000_000), 'UTF-32', 'UTF-8');"),
    ("mb_convert_encoding HTML", "@mb_convert_encoding(str_repeat('é', 20_000_000), 'HTML', 'UTF-8');"),
    ("mb_convert_encoding SJIS", "mb_convert_encoding(str_repeat('a', 60_000_000), 'UTF-32', 'SJIS');"),
    ("mb_encode_numericentity", "mb_encode_numericentity(str_repeat('a', 20_000_000), [0, 0xffff, 0, 0xffff]);"),
    ("mb_strtoupper", "mb_strtoupper(str_repeat('ß', 40_000_000));"),
    ("mb_str_pad", "mb_str_pad('a', 60_000_000, '日');"),
    ("mb_scrub", "mb_substitute_character('long'); mb_scrub(str_repeat(\"\\xff\", 100_000_000));"),
    ("iconv", "iconv('UTF-8', 'UTF-32', str_repeat('a', 50_000_000));"),
    ("fgets", "fgets(fopen('/dev/zero', 'r'));"),
    ("preg_quote", "preg_quote(str_repeat('.', 60_000_000));"),
    ("iconv TRANSLIT", "iconv('UTF-8', 'ASCII//TRANSLIT', str_repeat('㎏', 40_000_000));"),
];

#[test]
fn growing_results() {
    for (name, code) in CASES {
        let program = "register_shutdown_function(function () { preg_match('/VmHWM:\\s*(\\d+)/', file_get_contents('/proc/self/status'), $m); echo \"\\npeak=$m[1]\\n\"; });";
        let output = Command::new(env!("CARGO_BIN_EXE_jumbo"))
            .args(["-n", "-d", "memory_limit=128M", "-r", &format!("{program}{code}")])
            .stdin(Stdio::null())
            .output()
            .expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let refused = text.contains("Allowed memory size of 134217728 bytes exhausted");
        let peak_kib: u64 = text.rsplit_once("peak=").and_then(|(_, n)| n.trim().parse().ok()).unwrap_or(u64::MAX);
        assert!(refused && peak_kib < (128 + 64) << 10, "{name}: refused: {refused}, peak {peak_kib} KiB\n{text}");
    }
}
