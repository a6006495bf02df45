<?php
// A value for a parameter by reference is refused when its turn comes, before what stands behind it is evaluated.
function r(&$a, &$b = null, $c = null) { return 'called'; }
function v(&...$all) {}
function e($x) { echo "($x)"; return $x; }
function t(callable $f) { try { echo $f(), "\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; } }
t(fn() => r(1, e(2), e(3)));
t(fn() => r(1 + $GLOBALS['one'], $x, e(3)));
t(fn() => r($x, [e(1)], e(3)));
t(fn() => r([e(1)], 2));
t(fn() => v([e(1)], 2));
t(fn() => v($x, e(1) . 'a', 2, e(3)));
t(fn() => r($x, $y, e(3)));
$one = 1;
// Very many arguments.
$code = 'return array_sum(func_get_args_of(' . implode(',', array_fill(0, 40000, '$one')) . '));';
function func_get_args_of(...$all) { return $all; }
var_dump(eval($code));
var_dump(eval('return count([new ArrayObject([]), func_get_args_of(' . implode(',', range(1, 5000)) . ')][1]);'));
var_dump(eval('return strlen(sprintf("%s%s", ' . implode(',', range(1, 9000)) . '));'));
function many(&$first, ...$rest) { $first = count($rest); }
eval('many($counted, ' . implode(',', array_fill(0, 20000, 'null')) . ');');
var_dump($counted);
// Names that are unpacked.
function none() {}
function some(...$x) { return json_encode($x); }
t(fn() => none(...['a' => 1, 2]));
t(fn() => some(...['a' => 1, 2]));
t(fn() => some(...['a' => 1], ...[2, 3], ...['b' => 4]));
t(fn() => [...fn() => 1]);
t(fn() => [...$undefined]);
// Variables among the arguments of calls that PHP makes without a frame are read last.
t(fn() => max($a, ($a = 3)));
t(fn() => substr($s, 0, strlen($s = 'abc')));
t(fn() => substr_count($t, $t = 'abc'));
t(fn() => json_encode(array_key_exists($k, [$k = 'x' => 1])));
