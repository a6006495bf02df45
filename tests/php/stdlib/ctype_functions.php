<?php
// ctype_* on strings, the empty string, integers and other types.
require __DIR__ . '/inc/show.php';
$in = ['abc', 'ABC', 'aB1', '123', '', ' ', "\t\n", 'a b', '!?', 'é', "\x01", 'ff0', 'xyz', "a\0", '-1', '1.5', 65, 5, -5, 255, 256, 48, -129, 1000, null, true, 1.5, [], new stdClass];
foreach (['ctype_alnum', 'ctype_alpha', 'ctype_cntrl', 'ctype_digit', 'ctype_graph', 'ctype_lower', 'ctype_print', 'ctype_punct', 'ctype_space', 'ctype_upper', 'ctype_xdigit'] as $f) { echo $f, ': '; foreach ($in as $x) echo @$f($x) ? '1' : '0'; echo "\n"; }
each('ctype_digit', [5], ['5'], [null], [[]]);
