<?php
// Regular expressions of mbstring.
mb_regex_encoding('UTF-8');
var_dump(mb_regex_encoding(), mb_regex_set_options(), mb_regex_set_options('ix'), mb_regex_set_options('pr'), mb_regex_set_options());
var_dump(mb_ereg('(ä+)(?<rest>b)?', 'xääb', $m), $m);
var_dump(mb_ereg('(a)|(b)', 'b', $m), $m, mb_ereg('q', 'b', $m), $m, mb_eregi('Ä', 'ä'));
var_dump(mb_ereg_replace('(\w)(\d)', '\2\1\9', 'a1 b2'), mb_ereg_replace('(?<x>a)', '[\k<x>]', 'banana'), mb_eregi_replace('B', 'x', 'abAB'));
var_dump(mb_ereg_replace('', '-', 'abc'), mb_ereg_replace('B', 'x', 'ab', 'i'));
var_dump(mb_ereg_replace_callback('[aeiou]', fn(array $m) => strtoupper($m[0]), 'education'));
var_dump(mb_split('\s+', "one  two\tthree"), mb_split(',', 'a,b,c', 2), mb_split('x', ''));
var_dump(mb_ereg_match('a', 'ba'), mb_ereg_match('.*a', 'ba'));
mb_ereg_search_init('aa bb cc', '\w+');
while ($at = mb_ereg_search_pos()) {
    echo implode(',', $at), ' ', mb_ereg_search_getpos(), ' ', implode('|', mb_ereg_search_getregs()), "\n";
}
var_dump(mb_ereg_search_setpos(3), mb_ereg_search_regs(), mb_ereg_search_setpos(-2), mb_ereg_search());
foreach ([fn() => mb_ereg('', 'a'), fn() => mb_regex_encoding('none'), fn() => mb_regex_set_options('q'), fn() => mb_ereg_search_setpos(99)] as $bad) {
    try {
        var_dump($bad());
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
var_dump(mb_ereg('(', 'a'), mb_ereg("\xff", 'a'), mb_ereg('a', "\xff"));
var_dump(mb_decode_mimeheader('=?UTF-8?B?w6TDtg==?= =?UTF-8?Q?=C3=BC_x?= plain'));
