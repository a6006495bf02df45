<?php
// NUL bytes that end texts, zeros in front, encodings and headers that are none.
function told(callable $run): void {
    try {
        echo addcslashes(json_encode($run(), JSON_PARTIAL_OUTPUT_ON_ERROR), "\0..\37\177..\377"), "\n";
    } catch (Throwable $e) {
        echo $e::class, ': ', $e->getMessage(), "\n";
    }
}
foreach (["x\0y", "ab\0cd 5", " \0 a", "5\0 6"] as $text) {
    foreach (['%s', '%s %d', 'x%c', '%[^q]', '%d %d', '%5c', 'ab%n', 'x%n%s'] as $format) {
        told(fn() => sscanf($text, $format));
    }
}
foreach ([['a', 'c'], ['c', 'a'], ['a', 'ab'], ["a\0b", "a\0c"], ['', 'a'], ["\xff", 'a'], ['abc', 'abd']] as [$a, $b]) {
    told(fn() => strcoll($a, $b));
}
foreach (['0', '00', '01', '0b', '0x1A', '1', '10', 'a0', 'A00', '1a', 'Zz', 'a'] as $text) {
    told(fn() => str_decrement($text));
}
told(fn() => @strftime("%Y\0%m", 0));
told(fn() => bin2hex(gmdate('a\\', 0)));
told(fn() => bin2hex((new DateTime('@0'))->format('Y\\')));
foreach (['', 'a', '=', '&'] as $query) {
    told(function () use ($query) {
        $done = mb_parse_str($query, $variables);
        return [$done, $variables];
    });
}
told(fn() => password_needs_rehash('x', 'nosuch'));
told(fn() => get_class_methods('Closure'));
told(fn() => json_encode([1], 0, PHP_INT_MAX));
told(fn() => json_encode([1], 0, 4294967297));
told(fn() => json_encode(1, 0, PHP_INT_MAX));
told(fn() => bin2hex(@mhash_keygen_s2k(2, 'a', 'b', 4294967296 + 5)));
told(fn() => @mhash_keygen_s2k(2, 'a', 'b', 2147483648));
$headers = ["\u{e9}", "line1\nline2\r\n", "a\n ", "a \n ", "a\t\n", "a\n b\n", "a \n b", "\n a\n", "=?UTF-8?Q?a?=\n ", "=?UTF-8?Q?a?= \u{e9}",
    "=?UTF-8?Q?a?= \n =?UTF-8?Q?b?=", "a  =?UTF-8?Q?a?=", "a \n =?UTF-8?Q?a?=", "a\t=?UTF-8?Q?a?=", "x=y =?UTF-8?Q?=C3=A9?= z"];
foreach ($headers as $header) {
    told(fn() => mb_decode_mimeheader($header));
}
foreach ([['UTF-8/x', 'UTF-8'], ['UTF-8', 'UTF-8/x'], ['UTF-8', '/x'], ['UTF-8', '//x'], ['UTF-8', '/'], ['UTF-8', 'ASCII//TRANSLIT']] as [$from, $to]) {
    told(fn() => @iconv($from, $to, 'x'));
}
told(fn() => iconv_mime_encode("\u{e9}", 'v', []));
told(fn() => iconv_mime_encode('a b', 'v', []));
told(fn() => iconv_strpos("\xff\xfe", '.', 100));
told(fn() => iconv_strpos("\xff\xfe", 'C'));
told(fn() => iconv_strpos("a\xff", 'a'));
told(fn() => iconv_strrpos("\xff\xfe", 'C'));
told(fn() => stream_set_blocking(fopen('php://memory', 'w+'), false));
foreach (['r', 'w+', 'x'] as $mode) {
    foreach (['stdin', 'STDOUT', 'stderr'] as $name) {
        told(fn() => stream_get_meta_data(fopen("php://$name", $mode))['mode']);
    }
}
told(fn() => pclose(fopen('php://memory', 'r')));
// mb_ucfirst and mb_lcfirst take the first character as mb_substr does, and leave a string alone whose first character stays.
foreach (['ASCII', 'Windows-1252', 'SJIS', 'UTF-8', 'UTF-16', 'HTML', 'ISO-2022-JP'] as $encoding) {
    foreach (["\u{e9}", "a\xff", "\xffa", "\u{c9}\xff", "\xe2\x82a", '??a', ''] as $text) {
        told(fn() => bin2hex(mb_ucfirst($text, $encoding)) . ' ' . bin2hex(mb_lcfirst($text, $encoding)));
    }
}
foreach (['', "\0", "\0=1", '&', 'a', "a\0b=1"] as $text) {
    told(fn() => [mb_parse_str($text, $result), $result]);
}
// The base of intval is a C int.
foreach ([PHP_INT_MIN, PHP_INT_MAX, -1, 37, 1 << 32, (1 << 32) + 2, (1 << 32) + 10, (1 << 32) + 16, -(1 << 32) + 10] as $base) {
    told(fn() => [intval('12abc', $base), intval('0x1f', $base), intval('0b11', $base), intval(' 12', $base), intval(5, $base)]);
}
// An object that becomes an argument's text ends before the builtin runs.
class Digits
{
    function __toString(): string { return 'x12'; }
    function __destruct() { echo "ended\n"; }
}
told(fn() => base_convert(new Digits, 15, 4));
told(fn() => [version_compare('', "\0"), version_compare("1\0a", '1'), version_compare("1.0\0", '1.0', '>')]);
told(fn() => array_diff(['a'], ['a'], 5));
told(fn() => @array_unique([new stdClass, []], SORT_LOCALE_STRING));
told(fn() => [@preg_match_all('/a/', 'a', $none, 1, PHP_INT_MIN), $none]);
try { preg_match_all('/a/', 'a', $left, 1, PHP_INT_MIN); } catch (ValueError $e) { echo $e->getMessage(), json_encode($left), "\n"; }
// A literal of another type is no argument of in_array that is refused, when nothing but a lookup is left.
told(fn() => [in_array(2, [], null), in_array('a', ['a', 'b'], 1), in_array(1, [1, 'a'], 'x')]);
told(fn() => in_array(1, ['1'], null));
// A comparison's answer is converted as (int) does.
set_error_handler(function ($level, $message) { echo "[$message] "; return true; });
told(function () { $list = [1, 2]; usort($list, fn() => fn() => 1); return $list; });
told(fn() => array_udiff([1], [3], fn() => fn() => 1));
restore_error_handler();
// Rounding modes have numbers beyond those of the constants.
foreach ([0, 1, 4, 5, 6, 7, 8, 9, -1, (1 << 32) + 5] as $mode) {
    told(fn() => array_map(fn($number) => round($number, 0, $mode), [2.5, -2.5, 2.4, -2.6]));
}
// The name of a character set ends at a zero byte, and is looked at when there is something to decode.
set_error_handler(function ($level, $message) { echo "[$message] "; return true; });
foreach (["\0x", "utf-8\0x", 'ASCII', "x\0"] as $charset) {
    told(fn() => [htmlspecialchars('a', 2, $charset), html_entity_decode('a', 2, $charset), html_entity_decode('&amp;', 2, $charset)]);
}
restore_error_handler();
