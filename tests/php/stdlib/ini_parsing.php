<?php
// parse_ini_string and parse_ini_file: sections, modes, quoting, constants, arrays, errors.
require __DIR__ . '/inc/show.php';
const MYC = 'constant value';
putenv('INI_ENV=from env');
$ini = <<<'INI'
; comment
plain = value
quoted = "a b ; not comment"
single = 'raw $x'
num = 42
float = 1.5
b0 = yes
b1 = On
b2 = true
b3 = no
b4 = off
b5 = none
b6 = null
empty =
bare
const = MYC
concat = MYC " and " more
env = ${INI_ENV}
ref = ${num}
arr[] = 1
arr[] = 2
assoc[key] = v
assoc["q k"] = w
expr = 1|2
bits = 5&4
not = !1
tilde = ~1
esc = "a\"b\\c\n"
path = C:\dir\x
hash.key = dotted
[section one]
k = 1
k = 2
[sec two]
x = y
[Third]
arr[a] = nested
0 = zero
INI;
foreach ([false, true] as $sec) foreach ([INI_SCANNER_NORMAL, INI_SCANNER_RAW, INI_SCANNER_TYPED] as $mode) show('mode ' . var_export($sec, true) . " $mode", parse_ini_string($ini, $sec, $mode));
foreach (['a = b = c', 'a = "unclosed', '[unclosed', 'a = {}', 'a = (b)', '= x', 'null = 1', 'yes = 1', "a = 'it''s'", 'a=b;c', "a=\tb \t", 'a = "x" "y"', 'a = x"y"z', "k[]\nk[] = 1", 'a = $b', 'a = b!c', '', '[s]', "[s]\na=1\n[s]\nb=2", 'a = ""', "a = \"\xff\"", '5 = five', 'a[5] = x', "a=1\r\nb=2\rc=3", 'a = 0x1A', 'a = 010', 'a = +5', 'a = 1e3', 'A = 1' . "\n" . 'a = 2', 'a.b[c] = d', 'a = ${nope}', 'a = b # c', "m = \"line1\nline2\""] as $s) show(v($s), @parse_ini_string($s, true), @parse_ini_string($s, true, INI_SCANNER_TYPED), @parse_ini_string($s, true, INI_SCANNER_RAW));
each('parse_ini_string', ['a = "unclosed'], ['a=1', false, 99]);
each('parse_ini_file', ['']);
$f = tempnam(sys_get_temp_dir(), 'ini');
file_put_contents($f, "a=1\n[s]\nb=on");
show('file', parse_ini_file($f), parse_ini_file($f, true, INI_SCANNER_TYPED));
unlink($f);
