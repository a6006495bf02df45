<?php
declare(strict_types=1);
namespace N;
var_dump(min(7, true), max(7, true), min(true, 7), max(true, 7), \min(7, true), min('a', 0), max('a', 0), min(null, -1), max([], 1), min(1.0, 1), max(1, 1.0), min(1, 1.0), min(7, 7.0, true), min([7, true]), max([7, true]), max('1', 1), min('1', 1), max('abc', 'abd'), min(NAN, 1), min(1, NAN), max(NAN, 1), max(1, NAN));
$b = ''; $c = 5; $d = 'x'; $e = '7';
foreach ([[&$b], [&$c], [&$d], [&$e], [$b], [$d], [$e], [&$c, &$e], [null], [true, 3], ['3x', 2], [1.5, &$c]] as $a) { try { var_dump(\array_product($a), \array_sum($a)); } catch (\Error $e) { echo $e->getMessage(); } }
foreach ([[STDIN], [&$zz]] as $a) { $zz = STDIN; try { var_dump(\array_product($a) > 0, \array_sum($a)); } catch (\Error $e) { echo $e->getMessage(); } }
