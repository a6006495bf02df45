<?php
class S { function __toString() { debug_print_backtrace(); return 'x'; } }
$s = new S;
str_replace($s, 'a', 'b');
str_replace('a', $s, 'b');
preg_replace('/x/', 'y', $s);
implode($s, [1]);
number_format('5', 1, $s);
