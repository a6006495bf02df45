<?php
// Searches that step back so often that they go on place by place.
mb_internal_encoding('UTF-8');
mb_regex_encoding('UTF-8');
$run = str_repeat('a', 230);
$text = "$run é 日本 aaa7! $run ß";
var_dump(mb_ereg('(?<run>a*a*)(\d)!', $text, $found), $found);
var_dump(mb_ereg('(a*a*)\d\?', $text, $found), $found);
var_dump(md5(mb_ereg_replace('(a*a*)(\d)!', '[\2]', $text)));
var_dump(array_map('strlen', mb_split('a*a*\d!', $text)));
var_dump(mb_ereg_match('a*a*\d!', $text), mb_ereg_match('a*a* é', $text));
mb_ereg_search_init($text, 'a*a*\d!');
var_dump(mb_ereg_search_pos(), mb_ereg_search_pos(), mb_ereg_search_getpos());
mb_ereg_search_init($text, '\Ga*a*\d!');
var_dump(mb_ereg_search_pos());
mb_regex_set_options('lr');
var_dump(mb_ereg('a*a*\d!?', $text, $found), $found);
mb_regex_set_options('pr');
foreach (['UTF-16', 'UTF-16LE', 'UCS-4', 'EUC-JP', 'SJIS'] as $encoding) {
    mb_regex_encoding($encoding);
    $there = mb_convert_encoding("$run 日本 a7! " . (str_starts_with($encoding, 'U') ? '😀' : '') . $run, $encoding, 'UTF-8');
    var_dump(mb_ereg(mb_convert_encoding('a*a*(\d)!', $encoding, 'UTF-8'), $there, $found), bin2hex($found[0]));
}
mb_regex_encoding('UTF-8');
ini_set('mbstring.regex_retry_limit', 10_000);
var_dump(mb_ereg('(a*a*)(\d)!', $text), mb_ereg_replace('(a*a*)(\d)!', '', $text));
