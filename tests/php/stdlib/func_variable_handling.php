<?php
// settype, gettype, intval bases, is_* on everything, var conversion functions, debug functions.
require __DIR__ . '/inc/show.php';
class Str { function __toString(): string { return '12abc'; } }
$vals = [null, true, false, 0, 7, -3, 1.0, 2.7, -0.0, NAN, INF, '', '0', '12', '12abc', 'abc', '1e3', '0x1A', ' 5', '5 ', "5\n", [], [0], ['a' => 1], new stdClass, new Str, fopen('php://memory', 'r'), fn() => 1];
foreach (['is_null', 'is_bool', 'is_int', 'is_integer', 'is_long', 'is_float', 'is_double', 'is_string', 'is_array', 'is_object', 'is_resource', 'is_numeric', 'is_scalar', 'is_iterable', 'is_countable', 'is_callable', 'empty', 'boolval', 'gettype', 'get_debug_type'] as $f) {
    $r = [];
    foreach ($vals as $x) $r[] = $f === 'empty' ? empty($x) : $f($x);
    echo $f, ': ', implode(' ', array_map(fn($x) => is_bool($x) ? ($x ? 'T' : '.') : $x, $r)), "\n";
}
foreach (['intval', 'floatval', 'strval'] as $f) foreach ($vals as $x) if (!is_resource($x)) each($f, [$x]);
foreach (['bool', 'int', 'float', 'string', 'array', 'null'] as $t) foreach ([null, true, 5, 1.9, '', '12abc', '1.5', [], [1]] as $x) { $y = $x; $ok = @settype($y, $t); echo $t, ' ', v($x), ' -> ', v($y), ' ', v($ok), "\n"; }
