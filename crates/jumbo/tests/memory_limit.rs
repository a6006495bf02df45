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
        let fatal = format!("Allowed memory size of {LIMIT_BYTES} bytes exhausted");
        if !text.contains(&fatal) {
            wrong.push(format!("{name}: no fatal error, but {:?}: {tail}", output.status));
            continue;
        }
        if text.matches(&fatal).count() > 1 {
            wrong.push(format!("{name}: more than one fatal error: {tail}"));
        }
        let peak = text.rsplit_once("peak=").and_then(|(_, rest)| rest.split_once(" kB")?.0.parse::<usize>().ok());
        match peak {
            Some(kib) if kib << 10 < LIMIT_BYTES + BESIDE_BYTES => {}
            _ => wrong.push(format!("{name}: took {peak:?} kB: {tail}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs the snippets, of which none needs memory beside what the script has: each ends, within the limit.
fn check_modest(snippets: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (name, snippet) in snippets {
        let code = format!("{PEAK} {snippet} echo 'done';");
        let output = Command::new(env!("CARGO_BIN_EXE_jumbo"))
            .args(["-n", "-d", "memory_limit=128M", "-d", "display_errors=1", "-d", "error_log=/dev/null", "-r", &code])
            .env("PHP_INI_SCAN_DIR", "")
            .env_remove("PHPRC")
            .output()
            .expect("the jumbo binary");
        let text = String::from_utf8_lossy(&output.stdout);
        let tail = text.get(text.len().saturating_sub(400)..).unwrap_or(&text);
        let peak = text.rsplit_once("peak=").and_then(|(_, rest)| rest.split_once(" kB")?.0.parse::<usize>().ok());
        if !text.contains("done") || peak.is_none_or(|kib| kib << 10 >= LIMIT_BYTES + BESIDE_BYTES) {
            wrong.push(format!("{name}: took {peak:?} kB, {:?}: {tail}", output.status));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_copied() {
    check_modest(&[
        ("error_log", "error_log(str_repeat('a', 100 << 20));"),
        ("file_put_contents", "file_put_contents('/dev/null', [str_repeat('a', 100 << 20), 1]);"),
        ("file_exists", "file_exists(str_repeat('a', 100 << 20));"),
        ("glob", "@glob(str_repeat('{a,b}', 4000), GLOB_BRACE);"),
        ("shell_exec", "@shell_exec('true ' . str_repeat('a', 20 << 20));"),
        ("iptcparse", "iptcparse(str_repeat(\"\\x1c\\x02\\x19\\0\\0\", 1 << 20));"),
        ("bcadd", "bcadd(str_repeat('7', 100_000), '1');"),
    ]);
}

#[test]
fn messages() {
    check(&[
        ("a file", "fopen(str_repeat('a', 60 << 20), 'r');"),
        ("a mode", "fopen('/dev/null', str_repeat('z', 60 << 20));"),
        ("an extension", "ini_get_all(str_repeat('a', 60 << 20));"),
        ("a class", "new ReflectionClass(str_repeat('a', 60 << 20));"),
        ("a constant", "constant(str_repeat('a', 60 << 20));"),
        ("a time zone", "new DateTimeZone(str_repeat('A', 60 << 20));"),
        ("a filter", "stream_filter_append(fopen('php://memory', 'r'), str_repeat('a', 60 << 20));"),
        ("an option", "hash_init('md5', 0, ''); ini_set('html_errors', 1); trigger_error(str_repeat('<', 20 << 20));"),
        ("an exception", "throw new Exception(str_repeat('a', 60 << 20));"),
        ("an error handler", "set_error_handler(fn() => 1); trigger_error(str_repeat('a', 70 << 20));"),
    ]);
}

#[test]
fn code() {
    check(&[
        ("eval, one array", "eval('$a = [' . str_repeat('1,', 10_000_000) . '];');"),
        ("eval, one array of strings", "eval('$a = [' . str_repeat('\"x\",', 5_000_000) . '];');"),
        ("eval, arrays in an array", "eval('$a = [' . str_repeat('[1],', 300_000) . '];');"),
        ("eval, arguments", "eval(str_repeat('f($a);', 400_000));"),
        ("eval, statements", "eval(str_repeat('$a = 1;', 2_000_000));"),
        ("eval, functions", "$code = ''; for ($i = 0; $i < 300_000; $i++) $code .= \"function f$i() {}\"; eval($code);"),
        ("eval, properties", "$code = ''; for ($i = 0; $i < 500_000; $i++) $code .= \"public \\$p$i;\"; eval(\"class A { $code }\");"),
        ("eval, cases", "$code = ''; for ($i = 0; $i < 500_000; $i++) $code .= \"case $i: \"; eval(\"switch (1) { $code }\");"),
        ("eval, an interpolation", "eval('$a = \"' . str_repeat('$x', 4_000_000) . '\";');"),
        ("include", "$file = tempnam(sys_get_temp_dir(), 'code'); $f = fopen($file, 'w'); fwrite($f, '<?php $a = ['); for ($i = 0; $i < 20; $i++) \
                     fwrite($f, str_repeat('1,', 500_000)); fwrite($f, '];'); register_shutdown_function('unlink', $file); include $file;"),
        ("include, a long text", "$file = tempnam(sys_get_temp_dir(), 'code'); ftruncate(fopen($file, 'w'), 1 << 33); \
                                  register_shutdown_function('unlink', $file); include $file;"),
    ]);
}

#[test]
fn ini_texts_and_dates() {
    check(&[
        ("parse_ini_string", "parse_ini_string('a=' . str_repeat('a', 60 << 20));"),
        ("parse_ini_string, quoted", "parse_ini_string('a=\"' . str_repeat('\\\\', 60 << 20) . '\"');"),
        ("parse_ini_string, raw", "parse_ini_string('a=' . str_repeat('a', 60 << 20), false, INI_SCANNER_RAW);"),
        ("parse_ini_string, section", "parse_ini_string('[' . str_repeat('a', 60 << 20) . ']', true);"),
        ("parse_ini_string, elements", "parse_ini_string(str_repeat(\"a[]=1\\n\", 8 << 20));"),
        ("strtotime", "strtotime(str_repeat('!', 30 << 20));"),
        ("date_parse_from_format", "date_parse_from_format(str_repeat('#', 30 << 20), str_repeat('a', 30 << 20));"),
        ("FILTER_VALIDATE_FLOAT", "filter_var(str_repeat('1', 70 << 20), FILTER_VALIDATE_FLOAT);"),
        ("mb_ereg", "mb_ereg(str_repeat('\\p{L}', 100_000), 'a');"),
        ("bcmul", "$a = str_repeat('7', 40 << 20); bcmul($a, $a);"),
        ("bcpow", "bcpow('7', '200000000');"),
        ("bcadd, scales", "((new BcMath\\Number('0'))->div(1, 2147483647))->add(1);"),
    ]);
}

/// Names stay in the tables of the process: no memory is left for the function that tells the peak.
#[test]
fn names() {
    for code in ["class A {} for ($i = 0; ; $i++) class_alias('A', \"B$i\");", "for ($i = 0; ; $i++) define(\"B$i\", 1);"] {
        let output = Command::new(env!("CARGO_BIN_EXE_jumbo"))
            .args(["-n", "-d", "memory_limit=16M", "-d", "display_errors=1", "-r", code])
            .env("PHP_INI_SCAN_DIR", "")
            .env_remove("PHPRC")
            .output()
            .expect("the jumbo binary");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("Allowed memory size of 16777216 bytes exhausted"), "{code}: {text}");
    }
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
        ("mail, headers", "mail('a@b', 's', 'm', array_fill_keys(array_map(fn($i) => \"X-$i\", range(1, 3000)), str_repeat('a', 100000)));"),
        ("mail, receiver", "mail(str_repeat('a', 70 << 20), 's', 'm');"),
        ("syslog", "ini_set('syslog.filter', 'ascii'); syslog(LOG_DEBUG, str_repeat(\"\\xff\", 40 << 20));"),
        ("http headers", "$c = stream_context_create(['http' => ['header' => array_fill(0, 3000, str_repeat('a', 100000))]]); file_get_contents('http://127.0.0.1:1/', false, $c);"),
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

#[test]
fn arrays_and_iterators() {
    check(&[
        ("iterator_to_array", "iterator_to_array((function () { while (true) yield 1; })(), false);"),
        ("array_merge", "$a = range(0, 1000000); $b = array_merge($a, $a, $a, $a, $a, $a, $a, $a, $a, $a, $a, $a);"),
        ("array_map", "$a = range(0, 3000000); array_map(fn($x) => \"$x\", $a);"),
        ("str_split 1", "str_split(str_repeat('a', 20 << 20));"),
        ("array_chunk", "array_chunk(range(0, 3000000), 1);"),
        ("array_flip", "array_flip(range(0, 3000000));"),
        ("array_walk copy", "$a = range(0, 6000000); array_walk($a, function (&$v) { $v = \"$v\"; });"),
        ("array_count_values", "array_count_values(range(0, 3000000)) + array_count_values(range(3000001, 5000000));"),
        ("ArrayObject", "$a = new ArrayObject; while (true) $a[] = str_repeat('a', 10);"),
        ("SplDoublyLinkedList", "$l = new SplDoublyLinkedList; while (true) $l->push(1);"),
        ("SplQueue", "$l = new SplQueue; while (true) $l[] = 1;"),
        ("SplFixedArray", "new SplFixedArray(100000000);"),
        ("SplFixedArray::setSize", "$a = new SplFixedArray(1); $a->setSize(100000000);"),
        ("SplFixedArray::fromArray", "SplFixedArray::fromArray([100000000 => 1]);"),
        ("SplHeap", "$h = new SplMinHeap; while (true) $h->insert(1);"),
        ("SplPriorityQueue", "$h = new SplPriorityQueue; while (true) $h->insert(1, 1);"),
        ("SplObjectStorage", "$h = new SplObjectStorage; while (true) $h[new stdClass] = 1;"),
        ("CachingIterator", "$c = new CachingIterator((function () { while (true) yield str_repeat('a', 1000); })(), CachingIterator::FULL_CACHE); $i = 0; $g = (function () { $i = 0; while (true) yield $i++ => str_repeat('a', 1000); })(); foreach (new CachingIterator($g, CachingIterator::FULL_CACHE) as $x) {}"),
        ("DatePeriod", "iterator_to_array(new DatePeriod(new DateTime('2020-01-01'), new DateInterval('PT1S'), new DateTime('2030-01-01')));"),
    ]);
}

#[test]
fn patterns() {
    check(&[
        ("preg_replace", "preg_replace('/a/', str_repeat('b', 3000), str_repeat('a', 1000000));"),
        ("preg_replace reference", "preg_replace('/(a+)/', str_repeat('$1', 3000), str_repeat('a', 100000));"),
        ("preg_replace array", "preg_replace(['/a/', '/b/'], [str_repeat('b', 300), str_repeat('c', 3000)], str_repeat('a', 10000));"),
        ("preg_replace_callback", "preg_replace_callback('/a/', fn() => str_repeat('b', 3000), str_repeat('a', 1000000));"),
        ("preg_replace_callback_array", "preg_replace_callback_array(['/a/' => fn() => str_repeat('b', 3000)], str_repeat('a', 1000000));"),
        ("preg_split", "preg_split('/a/', str_repeat('ab', 10000000));"),
        ("preg_match_all", "preg_match_all('/a/', str_repeat('a', 10000000), $m);"),
        ("preg_match_all set order", "preg_match_all('/a/', str_repeat('a', 1000000), $m, PREG_SET_ORDER | PREG_OFFSET_CAPTURE);"),
        ("preg_grep", "preg_grep('/a/', array_fill(0, 5000000, 'a')); preg_grep('/a/', array_fill(0, 8000000, 'a'));"),
        ("mb_split", "mb_split('a', str_repeat('ab', 10000000));"),
    ]);
}

#[test]
fn multibyte() {
    check(&[
        ("mb_str_split", "mb_str_split(str_repeat('é', 10_000_000));"),
        ("mb_convert_case", "mb_convert_case(str_repeat('ß', 40_000_000), MB_CASE_TITLE);"),
        ("mb_substr, decoded", "mb_substr(str_repeat('a', 80_000_000), 1, null, 'UTF-7');"),
        ("mb_strimwidth", "mb_strimwidth(str_repeat('日', 30_000_000), 0, 25_000_000);"),
        ("mb_detect_encoding", "mb_detect_encoding(str_repeat('é', 40_000_000), ['UTF-7', 'SJIS'], true);"),
        ("mb_encode_mimeheader", "mb_encode_mimeheader(str_repeat('é', 20_000_000));"),
        ("mb_decode_mimeheader", "mb_decode_mimeheader(str_repeat('=?UTF-8?Q?=41?= ', 5_000_000));"),
        ("mb_ereg_replace", "mb_ereg_replace('a', str_repeat('b', 3000), str_repeat('a', 1000000));"),
        ("mb_stripos", "mb_stripos(str_repeat('É', 40_000_000), 'x');"),
        ("mb_substr", "mb_substr(str_repeat('日', 30_000_000), 1);"),
        ("mb_convert_kana", "mb_convert_kana(str_repeat('ｶﾞ', 15_000_000), 'KV');"),
        ("mb_output_handler", "mb_http_output('UTF-16'); ob_start('mb_output_handler'); $s = str_repeat('a', 1 << 20); while (true) echo $s;"),
        ("iconv_mime_encode", "iconv_mime_encode('Subject', str_repeat('é', 20_000_000));"),
        ("iconv_substr", "iconv_substr(str_repeat('é', 40_000_000), 1, 39_000_000);"),
        ("iconv_strpos", "iconv_strpos(str_repeat('é', 40_000_000), 'x'); str_repeat('a', 200 << 20);"),
        ("iconv ISO-2022-JP", "iconv('UTF-8', 'ISO-2022-JP', str_repeat('日a', 15_000_000));"),
    ]);
}

#[test]
fn more_strings() {
    check(&[
        ("str_repeat", "$s = str_repeat('a', 1 << 20); $s = str_repeat($s, 1000);"),
        ("ucwords", "ucwords(str_repeat('a ', 35 << 20));"),
        ("strtoupper", "strtoupper(str_repeat('a', 70 << 20));"),
        ("number_format", "number_format(1.5, 1 << 30);"),
        ("number_format separators", "number_format(1e300, 0, '', str_repeat('a', 2000000));"),
        ("sprintf width 2", "sprintf('%2147483646d', 1);"),
        ("sprintf string width", "sprintf('%300000000s', 'a');"),
        ("vfprintf", "vfprintf(fopen('php://memory', 'w'), str_repeat('%1$s', 3000), [str_repeat('a', 100000)]);"),
        ("fprintf", "fprintf(fopen('php://memory', 'w'), str_repeat('%1$s', 3000), str_repeat('a', 100000));"),
        ("str_word_count", "str_word_count(str_repeat('a ', 8000000), 1);"),
        ("__toString long", "class A { function __toString(): string { return str_repeat('a', 10 << 20); } } implode(array_fill(0, 100, new A));"),
        ("bcpow", "bcpow('7', '900000000');"),
        ("bcpow scale", "bcpow('1.1', '10', 400000000);"),
        ("bcdiv", "bcdiv('1', '3', 300000000);"),
        ("bcsqrt", "bcsqrt('2', 100000000);"),
        ("random_bytes", "random_bytes(500_000_000);"),
        ("hash_hkdf", "@hash_hkdf('sha256', 'a', 5000); str_repeat('a', 200 << 20);"),
    ]);
}

#[test]
fn dates() {
    check(&[
        ("DateTime::format", "(new DateTime('2020-01-01'))->format(str_repeat('l', 20_000_000));"),
        ("date", "date(str_repeat('r', 10_000_000));"),
        ("gmdate", "gmdate(str_repeat('r', 10_000_000));"),
        ("strftime", "@strftime(str_repeat('%A%c', 10_000_000));"),
        ("DateInterval::format", "(new DateInterval('P1D'))->format(str_repeat('%a%R%Y', 15_000_000) . str_repeat('%%', 10)); (new DateInterval('P1D'))->format(str_repeat('%D', 40_000_000) . str_repeat('%Y', 10_000_000));"),
    ]);
}

#[test]
fn streams() {
    check(&[
        ("file_get_contents", "file_get_contents('/dev/zero');"),
        ("file", "file('/dev/zero');"),
        ("file lines", "file_put_contents($n = tempnam(sys_get_temp_dir(), 'j'), str_repeat(\"\\n\", 10 << 20)); register_shutdown_function(fn() => unlink($n)); file($n);"),
        ("stream_get_contents", "stream_get_contents(fopen('/dev/zero', 'r'));"),
        ("stream_get_line", "stream_get_line(fopen('/dev/zero', 'r'), 0, \"\\n\");"),
        ("fgetcsv", "fgetcsv(fopen('/dev/zero', 'r'), escape: '');"),
        ("fscanf", "fscanf(fopen('/dev/zero', 'r'), '%s');"),
        ("stream_copy_to_stream", "stream_copy_to_stream(fopen('/dev/zero', 'r'), fopen('php://memory', 'w+'));"),
        ("stream_set_chunk_size", "$f = fopen('/dev/zero', 'r'); stream_set_chunk_size($f, 2000000000); fgets($f);"),
        ("data url", "file_get_contents('data:text/plain,' . str_repeat('%41', 40 << 20));"),
        ("php temp memory", "$f = fopen('php://temp/maxmemory:1000000000', 'w+'); $s = str_repeat('a', 1 << 20); while (true) fwrite($f, $s);"),
        ("popen", "stream_get_contents(popen('cat /dev/zero', 'r'));"),
        ("proc_open", "$p = proc_open('cat /dev/zero', [1 => ['pipe', 'w']], $pipes); stream_get_contents($pipes[1]);"),
        ("passthru", "ob_start(); passthru('head -c 500000000 /dev/zero');"),
        ("SplTempFileObject", "$f = new SplTempFileObject(-1); $s = str_repeat('a', 1 << 20); while (true) $f->fwrite($s);"),
        ("SplFileObject::fgets", "(new SplFileObject('/dev/zero'))->fgets();"),
        ("stream_context", "$c = stream_context_create(); for ($i = 0; ; $i++) stream_context_set_option($c, 'a', \"b$i\", str_repeat('a', 10000));"),
    ]);
}

#[test]
fn stream_filters() {
    check(&[
        ("convert.iconv", "$f = fopen('php://temp', 'w+'); stream_filter_append($f, 'convert.iconv.UTF-8/UTF-32', STREAM_FILTER_WRITE); $s = str_repeat('a', 8 << 20); while (true) fwrite($f, $s);"),
        ("convert.iconv, as a whole", "$f = fopen('php://memory', 'w+'); stream_filter_append($f, 'convert.iconv.UTF-16/UTF-8', STREAM_FILTER_WRITE); $s = str_repeat('a', 1 << 20); while (true) fwrite($f, $s);"),
        ("convert.base64-encode", "$f = fopen('php://memory', 'w+'); stream_filter_append($f, 'convert.base64-encode', STREAM_FILTER_WRITE); $s = str_repeat('a', 50 << 20); while (true) fwrite($f, $s);"),
        ("convert.base64-encode, lines", "$f = fopen('php://memory', 'w+'); stream_filter_append($f, 'convert.base64-encode', STREAM_FILTER_WRITE, ['line-length' => 1, 'line-break-chars' => str_repeat('b', 3000)]); fwrite($f, str_repeat('a', 1000000));"),
        ("convert.quoted-printable-encode", "$f = fopen('php://memory', 'w+'); stream_filter_append($f, 'convert.quoted-printable-encode', STREAM_FILTER_WRITE); fwrite($f, str_repeat(\"\\xff\", 50 << 20));"),
        ("dechunk", "$f = fopen('php://memory', 'w+'); stream_filter_append($f, 'dechunk', STREAM_FILTER_WRITE); $s = str_repeat('1', 1 << 20); while (true) fwrite($f, $s);"),
        ("user filter", "class F extends php_user_filter { function filter($in, $out, &$c, $closing): int { while ($b = stream_bucket_make_writeable($in)) { $b->data = str_repeat($b->data, 40000); stream_bucket_append($out, $b); } return PSFS_PASS_ON; } } stream_filter_register('f', 'F'); $f = fopen('php://memory', 'w+'); stream_filter_append($f, 'f', STREAM_FILTER_WRITE); fwrite($f, str_repeat('a', 2000));"),
        ("zlib.deflate", "$f = fopen('php://memory', 'w+'); stream_filter_append($f, 'zlib.deflate', STREAM_FILTER_WRITE, 0); $s = str_repeat('a', 40 << 20); while (true) fwrite($f, $s);"),
    ]);
}

#[test]
fn databases() {
    check(&[
        ("sqlite rows", "$d = new SQLite3(':memory:'); $r = $d->query(\"with recursive n(i) as (select 1 union all select i+1 from n) select printf('%.*c', 900000, 'a') a from n\"); while (true) $a[] = $r->fetchArray();"),
        ("pdo fetchAll", "$d = new PDO('sqlite::memory:'); $d->query(\"with recursive n(i) as (select 1 union all select i+1 from n) select i, printf('%.*c', 90000, 'a') a from n\")->fetchAll();"),
        ("sqlite in memory", "$d = new SQLite3(':memory:'); $d->exec('create table t(a)'); while (true) $d->exec('insert into t values(zeroblob(1000000))');"),
        ("pdo_sqlite in memory", "$d = new PDO('sqlite::memory:'); $d->exec('create table t(a)'); while (true) $d->exec('insert into t values(zeroblob(1000000))');"),
        ("sqlite blob", "$d = new SQLite3(':memory:'); $d->querySingle('select zeroblob(900000000)');"),
        ("sqlite sort", "$d = new SQLite3(':memory:'); $d->exec('pragma temp_store = memory; pragma cache_size = 1000000'); $d->querySingle('with recursive n(i) as (select 1 union all select i + 1 from n limit 1000) select a from (select zeroblob(900000) || i a from n) order by a');"),
        ("sqlite parameter", "$d = new PDO('sqlite::memory:'); $s = $d->prepare('select ?'); $s->bindValue(1, str_repeat('a', 60 << 20)); $s->execute(); $s->fetchColumn();"),
        ("pdo, a name in several places", "class D extends PDO {} $d = new D('sqlite::memory:'); $d->setAttribute(PDO::ATTR_EMULATE_PREPARES, true); $s = $d->prepare('select ' . implode(', ', array_fill(0, 1000, ':a'))); $s->execute(['a' => str_repeat('a', 300000)]); $s->fetchAll();"),
        ("pdo quote", "$d = new PDO('sqlite::memory:'); $d->quote(str_repeat(\"'\", 60 << 20));"),
        ("SQLite3::escapeString", "SQLite3::escapeString(str_repeat(\"'\", 60 << 20));"),
    ]);
}

#[test]
fn texts_of_objects() {
    check(&[
        ("ReflectionClass::__toString", "eval('class A { ' . implode('', array_map(fn($i) => \"function m$i(\\$a = '\" . str_repeat('x', 1000) . \"') {} \", range(0, 20000))) . '}'); (string) new ReflectionClass('A');"),
        ("ReflectionClass::__toString, constants", "define('BIG', str_repeat('a', 50 << 20)); class A { const B = BIG; const C = BIG; const D = BIG; const E = BIG; } echo new ReflectionClass('A');"),
        ("serialize ArrayObject", "$x = new ArrayObject(array_fill(0, 3000, str_repeat('a', 100000))); serialize($x);"),
        ("serialize nested", "$a = 1; for ($i = 0; $i < 3000; $i++) $a = [$a, str_repeat('a', 100000)]; serialize($a);"),
        ("debug_zval_dump, nested", "$a = [1]; for ($i = 0; $i < 300; $i++) $a = [$a]; ob_start(); debug_zval_dump(array_fill(0, 2000, $a));"),
        ("var_export nested", "$a = [1]; for ($i = 0; $i < 300; $i++) $a = [$a]; var_export(array_fill(0, 2000, $a), true);"),
        ("uncaught exception", "$e = null; for ($i = 0; $i < 100; $i++) $e = new Exception(str_repeat('a', 1 << 20), 0, $e); throw $e;"),
        ("phpinfo", "$_COOKIE = ['a' => array_fill(0, 3000, str_repeat('a', 100000))]; ob_start(); phpinfo(INFO_VARIABLES);"),
        ("session_encode", "session_id('abcdefgh'); ini_set('session.save_handler', 'files'); ini_set('session.save_path', sys_get_temp_dir()); session_start(); $_SESSION = ['a' => array_fill(0, 3000, str_repeat('a', 100000))]; register_shutdown_function('session_destroy'); session_encode();"),
        ("session_decode", "@session_start(); $_SESSION = []; session_decode('a|a:10000000:{' . str_repeat('i:1;i:1;', 8000000) . '}');"),
        ("session_start", "mkdir($d = sys_get_temp_dir() . '/jumbo-session-' . bin2hex(random_bytes(8))); register_shutdown_function(fn() => unlink(\"$d/sess_abcdefgh\") && rmdir($d)); \
             $f = fopen(\"$d/sess_abcdefgh\", 'w'); fwrite($f, 'a|s:' . (100 << 20) . ':\"'); ftruncate($f, 100 << 20); session_save_path($d); session_id('abcdefgh'); session_start();"),
        ("RecursiveTreeIterator", "$a = [1]; for ($i = 0; $i < 900; $i++) $a = [$a, 1]; $t = new RecursiveTreeIterator(new RecursiveArrayIterator($a)); $t->setPrefixPart(RecursiveTreeIterator::PREFIX_MID_HAS_NEXT, str_repeat('a', 1000000)); foreach ($t as $k => $v) {}"),
        ("highlight_file", "file_put_contents($n = tempnam(sys_get_temp_dir(), 'j'), '<?php ' . str_repeat('$a;', 2000000)); register_shutdown_function(fn() => unlink($n)); highlight_file($n, true);"),
    ]);
}

#[test]
fn settings_and_arguments() {
    check(&[
        ("parse_ini_string", "parse_ini_string(str_repeat(\"a[] = b\\n\", 10_000_000));"),
        ("parse_ini_string, one expansion", "putenv('BIG=' . str_repeat('a', 1000000)); parse_ini_string('a = ' . str_repeat('${BIG}', 3000));"),
        ("parse_ini_string expansions", "putenv('BIG=' . str_repeat('a', 1000000)); parse_ini_string(str_repeat(\"a[] = \\${BIG}\\n\", 3000));"),
        ("getopt", "$_SERVER['argv'] = array_merge(['x'], array_fill(0, 2000000, '-a' . str_repeat('b', 20))); getopt('a:');"),
        ("ini_set", "for ($i = 0; ; $i++) { ini_set('date.timezone', 'UTC'); ini_set('user_agent', str_repeat('a', 60 << 20)); ini_set('from', str_repeat('a', 60 << 20)); ini_set('arg_separator.output', str_repeat('a', 60 << 20)); str_repeat('a', 200 << 20); }"),
    ]);
}

#[test]
fn values_that_are_filtered_and_derived() {
    check(&[
        ("FILTER_SANITIZE_SPECIAL_CHARS", "filter_var(str_repeat('&', 40_000_000), FILTER_SANITIZE_SPECIAL_CHARS);"),
        ("filter_var encoded", "filter_var(str_repeat('&', 50_000_000), FILTER_SANITIZE_ENCODED);"),
        ("filter_var add_slashes", "filter_var(str_repeat('\"', 70_000_000), FILTER_SANITIZE_ADD_SLASHES);"),
        ("filter_var full", "filter_var(str_repeat('\"', 40_000_000), FILTER_SANITIZE_FULL_SPECIAL_CHARS);"),
        ("filter_var array", "filter_var(array_fill(0, 3000, str_repeat('&', 20000)), FILTER_SANITIZE_SPECIAL_CHARS, FILTER_REQUIRE_ARRAY);"),
        ("filter_var number", "filter_var(str_repeat('1', 70 << 20), FILTER_SANITIZE_NUMBER_INT);"),
        ("filter_var email", "filter_var(str_repeat('a', 70 << 20), FILTER_SANITIZE_EMAIL);"),
        ("hash_pbkdf2", "hash_pbkdf2('md5', 'a', 'b', 1, 250_000_000);"),
        ("Randomizer::getBytes", "(new Random\\Randomizer)->getBytes(500_000_000);"),
        ("Randomizer::shuffleBytes", "(new Random\\Randomizer)->shuffleBytes(str_repeat('a', 70 << 20));"),
        ("Randomizer::shuffleArray", "(new Random\\Randomizer)->shuffleArray(range(0, 5000000));"),
        ("openssl_encrypt", "openssl_encrypt(str_repeat('a', 70 << 20), 'aes-128-cbc', 'key', OPENSSL_RAW_DATA, str_repeat('i', 16));"),
        ("openssl_pbkdf2", "openssl_pbkdf2('a', 'b', 400_000_000, 1);"),
        ("openssl_random_pseudo_bytes", "openssl_random_pseudo_bytes(500_000_000);"),
    ]);
}

#[test]
fn compressed_data() {
    // Three hundred megabytes of one letter, as raw data.
    const BOMB: &str = "$z = deflate_init(ZLIB_ENCODING_RAW); $d = ''; $s = str_repeat('a', 1 << 20); \
        for ($i = 0; $i < 300; $i++) $d .= deflate_add($z, $s, ZLIB_NO_FLUSH); $d .= deflate_add($z, '', ZLIB_FINISH);";
    let bomb = |call: &str| format!("{BOMB} {call}");
    check(&[
        ("gzinflate", &bomb("gzinflate($d);")),
        ("zlib_decode", &bomb("zlib_decode($d);")),
        ("inflate_add", &bomb("inflate_add(inflate_init(ZLIB_ENCODING_RAW), $d);")),
        ("zlib.inflate, writing", &bomb("$f = fopen('php://memory', 'w+'); stream_filter_append($f, 'zlib.inflate', STREAM_FILTER_WRITE); fwrite($f, $d);")),
        (
            "zlib.inflate, reading",
            &bomb("$f = fopen('php://memory', 'w+'); fwrite($f, $d); rewind($f); stream_filter_append($f, 'zlib.inflate', STREAM_FILTER_READ); stream_get_contents($f);"),
        ),
        ("compress.zlib", "stream_get_contents(fopen('compress.zlib:///dev/zero', 'r'));"),
        ("gzcompress", "gzcompress(str_repeat('a', 70 << 20), 0);"),
        ("gzencode", "gzencode(random_bytes(70 << 20), 1);"),
        ("deflate_add", "deflate_add(deflate_init(ZLIB_ENCODING_RAW, ['level' => 0]), str_repeat('a', 70 << 20), ZLIB_FINISH);"),
        (
            "ob_gzhandler",
            "$_SERVER['HTTP_ACCEPT_ENCODING'] = 'gzip'; ini_set('zlib.output_compression_level', 0); ob_start(); ob_start('ob_gzhandler'); \
             $s = random_bytes(1 << 20); while (true) { echo $s; ob_flush(); }",
        ),
    ]);
}
