//! What a builtin collects counts against memory_limit while it grows: the request ends with PHP's fatal error before the process has taken
//! much more than the limit.

use std::process::Command;

const LIMIT_BYTES: usize = 128 << 20;

/// What the process may hold beside the request heap: its code, and what it read.
const BESIDE_BYTES: usize = 64 << 20;

/// Printed by the shutdown function, which runs after the fatal error.
const PEAK: &str = "register_shutdown_function(function () { preg_match('/VmHWM:\\s+(\\d+)/', file_get_contents('/proc/self/status'), $m); \
     echo \"\\npeak=$m[1] kB\\n\"; });";

/// Runs the snippets, each in a process of its own, which is told to allow no more than the limit.
fn check(snippets: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (name, snippet) in snippets {
        let output = Command::new(env!("CARGO_BIN_EXE_jumbo"))
            .args(["-n", "-d", "memory_limit=128M", "-d", "display_errors=1", "-r", &format!("{PEAK} {snippet}")])
            .env("PHP_INI_SCAN_DIR", "")
            .env_remove("PHPRC")
            .output()
            .expect("the jumbo binary");
        let text = String::from_utf8_lossy(&output.stdout);
        let tail = text.get(text.len().saturating_sub(400)..).unwrap_or(&text);
        if !text.contains(&format!("Allowed memory size of {LIMIT_BYTES} bytes exhausted")) {
            wrong.push(format!("{name}: no fatal error, but {:?}: {tail}", output.status));
            continue;
        }
        let peak = text.rsplit_once("peak=").and_then(|(_, rest)| rest.split_once(" kB")?.0.parse::<usize>().ok());
        match peak {
            Some(kib) if kib << 10 < LIMIT_BYTES + BESIDE_BYTES => {}
            _ => wrong.push(format!("{name}: took {peak:?} kB: {tail}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn json() {
    check(&[
        ("json_encode", "json_encode(str_repeat('\"', 4 << 20) . str_repeat(\"\\x01\", 24 << 20));"),
        ("json_encode, pretty", "$a = [1]; for ($i = 0; $i < 500; $i++) $a = [$a]; json_encode(array_fill(0, 1000, $a), JSON_PRETTY_PRINT);"),
        ("json_encode, unicode", "json_encode(str_repeat('ä', 20 << 20));"),
        ("json_decode, string", "json_decode('\"\\\\n' . str_repeat('a', 70 << 20) . '\"');"),
        ("json_decode, list", "json_decode('[' . str_repeat('[],', 20 << 20) . '1]');"),
    ]);
}

#[test]
fn output_buffers() {
    check(&[
        ("ob_start", "ob_start(); $s = str_repeat('a', 1 << 20); while (true) echo $s;"),
        ("ob_start, nested", "while (true) { ob_start(); echo 'a'; }"),
        ("ob_start, callback", "ob_start(fn($s) => str_repeat($s, 3)); ob_start(); echo str_repeat('a', 50 << 20); ob_end_flush(); ob_end_flush();"),
    ]);
}

#[test]
fn tokenizer() {
    check(&[
        ("token_get_all", "token_get_all('<?php ' . str_repeat('+', 20 << 20));"),
        ("token_get_all, arrays", "token_get_all('<?php ' . str_repeat('$a ', 4 << 20));"),
        ("PhpToken::tokenize", "PhpToken::tokenize('<?php ' . str_repeat('$a ', 4 << 20));"),
    ]);
}

#[test]
fn arrays() {
    check(&[
        ("array_pad", "array_pad([], 9000000, 1);"),
        ("array_fill", "array_fill(0, 9000000, 1);"),
        ("range", "range(0, 9000000);"),
        ("array_unique", "$a = range(0, 2500000); array_unique($a, SORT_REGULAR);"),
        ("array_udiff", "$a = range(0, 2500000); array_udiff($a, $a, fn($a, $b) => 0);"),
        ("array_multisort", "$a = range(0, 1800000); $b = $a; array_multisort($a, $b);"),
        ("array_change_key_case", "array_change_key_case([str_repeat('A', 70 << 20) => 1]);"),
    ]);
}

#[test]
fn streams_and_text() {
    check(&[
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
    ]);
}

#[test]
fn strings() {
    check(&[
        ("str_replace", "str_replace('a', str_repeat('b', 3000), str_repeat('a', 1000000));"),
        ("str_replace, arrays", "str_replace(['a', 'b'], [str_repeat('b', 300), str_repeat('c', 3000)], str_repeat('a', 1000));"),
        ("str_ireplace", "str_ireplace('A', str_repeat('b', 3000), str_repeat('a', 1000000));"),
        ("strtr, one pair", "strtr(str_repeat('a', 1000000), ['a' => str_repeat('b', 3000)]);"),
        ("strtr, pairs", "strtr(str_repeat('a', 1000000), ['a' => str_repeat('b', 3000), 'c' => '']);"),
        ("strtr, objects", "class A { function __toString() { return str_repeat('b', 3000); } } strtr(str_repeat('a', 1000000), ['a' => new A, 'c' => '']);"),
        ("substr_replace", "substr_replace(array_fill(0, 1000, 'a'), str_repeat('b', 300000), 0);"),
        ("implode", "implode(str_repeat('b', 3000), array_fill(0, 1000000, 'a'));"),
        ("explode", "explode('a', str_repeat('ab', 10000000), -1);"),
        ("str_split", "str_split(str_repeat('ab', 10000000), 2);"),
        ("str_word_count", "str_word_count(str_repeat('ab ', 10000000), 2);"),
        ("sprintf", "sprintf(str_repeat('%1$s', 3000), str_repeat('a', 100000));"),
        ("sprintf, width", "sprintf(str_repeat('%1$100000d', 3000), 1);"),
        ("vsprintf", "vsprintf(str_repeat('%1$s', 3000), [str_repeat('a', 100000)]);"),
        ("printf", "printf(str_repeat('%1$s', 3000), str_repeat('a', 100000));"),
        ("sscanf", "sscanf('a', str_repeat('%s ', 10000000));"),
        ("pack", "pack(str_repeat('x2000000000', 2));"),
        ("pack, strings", "pack(str_repeat('a1000000', 1000), ...array_fill(0, 1000, 'a'));"),
        ("unpack", "unpack('c*', str_repeat('a', 10000000));"),
        ("wordwrap", "wordwrap(str_repeat('a ', 1000000), 1, str_repeat('b', 3000), true);"),
        ("chunk_split", "chunk_split(str_repeat('a', 1000000), 1, str_repeat('b', 3000));"),
        ("nl2br", "nl2br(str_repeat(\"\\n\", 30000000));"),
        ("str_pad", "str_pad('a', 500000000);"),
        ("strrev", "strrev(str_repeat('a', 70 << 20));"),
        ("str_shuffle", "str_shuffle(str_repeat('a', 70 << 20));"),
        ("stripos", "stripos(str_repeat('a', 70 << 20), 'B');"),
        ("levenshtein", "levenshtein('a', str_repeat('b', 30000000));"),
        ("hebrev", "hebrev(str_repeat(\"\\xe0\", 70 << 20));"),
        ("metaphone", "metaphone(str_repeat('xz', 40 << 20));"),
    ]);
}

#[test]
fn escaping_and_encoding() {
    check(&[
        ("htmlspecialchars", "htmlspecialchars(str_repeat('\"', 40000000));"),
        ("htmlentities", "htmlentities(str_repeat('é', 30000000));"),
        ("html_entity_decode", "html_entity_decode('&lt;' . str_repeat('a', 70 << 20));"),
        ("strip_tags", "strip_tags('<b>' . str_repeat('a', 70 << 20));"),
        ("strip_tags, a tag", "strip_tags('<b ' . str_repeat('a', 70 << 20), '<b>');"),
        ("addslashes", "addslashes(str_repeat('\"', 70000000));"),
        ("addcslashes", "addcslashes(str_repeat(\"\\x01\", 40000000), \"\\0..\\37\");"),
        ("stripslashes", "stripslashes('\\\\' . str_repeat('a', 70 << 20));"),
        ("stripcslashes", "stripcslashes('\\\\' . str_repeat('a', 70 << 20));"),
        ("quotemeta", "quotemeta(str_repeat('.', 70000000));"),
        ("urlencode", "urlencode(str_repeat('&', 50000000));"),
        ("rawurldecode", "rawurldecode(str_repeat('a', 70 << 20));"),
        ("http_build_query", "http_build_query(array_fill(0, 1000, str_repeat('&', 100000)));"),
        ("http_build_query, names", "http_build_query([str_repeat('a', 100000) => array_fill(0, 3000, 1)]);"),
        ("parse_str", "parse_str('a=' . str_repeat('a', 70 << 20), $a);"),
        ("parse_url", "parse_url('http://a/' . str_repeat('a', 70 << 20));"),
        ("base64_encode", "base64_encode(str_repeat('a', 60 << 20));"),
        ("base64_decode", "base64_decode(str_repeat('a', 80 << 20));"),
        ("bin2hex", "bin2hex(str_repeat('a', 50 << 20));"),
        ("hex2bin", "hex2bin(str_repeat('a', 90 << 20));"),
        ("utf8_encode", "@utf8_encode(str_repeat(\"\\xff\", 50 << 20));"),
        ("quoted_printable_encode", "quoted_printable_encode(str_repeat(\"\\xff\", 50 << 20));"),
        ("convert_uuencode", "convert_uuencode(str_repeat('a', 60 << 20));"),
        ("str_getcsv", "str_getcsv(str_repeat('a,', 8000000), escape: '');"),
        ("str_getcsv, quoted", "str_getcsv('\"' . str_repeat('a', 70 << 20), escape: '');"),
        ("fputcsv", "fputcsv(fopen('php://output', 'w'), array_fill(0, 3000, str_repeat('\"', 100000)), escape: '');"),
    ]);
}

#[test]
fn values_as_text() {
    // Arrays in arrays: each level is indented by more than the one before.
    const DEEP: &str = "$a = [1]; for ($i = 0; $i < 500; $i++) $a = [$a]; $a = array_fill(0, 1000, $a);";
    let deep = |call: &str| format!("{DEEP} {call};");
    check(&[
        ("print_r", &deep("print_r($a)")),
        ("print_r, returned", &deep("print_r($a, true)")),
        ("var_export", &deep("var_export($a)")),
        ("var_export, strings", "var_export(array_fill(0, 3000, str_repeat(\"'\", 50000)), true);"),
        ("var_dump", &deep("ob_start(); var_dump($a)")),
        ("debug_zval_dump", &deep("ob_start(); debug_zval_dump($a)")),
        ("serialize", "serialize(array_fill(0, 3000, str_repeat('a', 100000)));"),
        ("serialize, objects", "$a = []; for ($i = 0; $i < 900000; $i++) $a[] = new stdClass; serialize([$a, $a]);"),
        ("unserialize", "unserialize('a:10000000:{' . str_repeat('i:1;i:1;', 8000000) . '}');"),
        ("unserialize, escaped", "@unserialize('S:73400320:\"' . str_repeat('a', 70 << 20) . '\";');"),
        ("highlight_string", "highlight_string('<?php ' . str_repeat('$a;', 2000000), true);"),
        ("output_add_rewrite_var", "output_add_rewrite_var('a', str_repeat('b', 100000)); echo str_repeat('<form>', 3000); ob_end_flush();"),
        ("header", "$s = str_repeat('a', 1 << 20); for ($i = 0; ; $i++) header(\"X-$i: $s\");"),
        ("setcookie", "setcookie('a', str_repeat('&', 50 << 20));"),
        ("putenv", "$s = str_repeat('a', 1 << 20); for ($i = 0; ; $i++) putenv(\"a$i=$s\");"),
    ]);
}
