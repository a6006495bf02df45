<?php
function g(...$a) { var_dump($a); $a[] = 1; return func_get_args(); }
function h($x, $y = 2, $z = 3) { var_dump($x, $y, $z, func_get_args()); $x = 9; }
$l = [1, 2]; g(...$l); h(...$l); h(...[5]); try { h(...[]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
h(0, ...$l); h(...$l, ...[7]); h(...['z' => 1, 'x' => 4]); g(...[], ...$l); g(...$l, ...['n' => 1]);
$r = 1; $q = [&$r, 2]; h(...$q); var_dump($l, $q);
function m(&$x, $y) { $x++; } m(...$l); var_dump($l);
$f = fn($a, $b) => $a . $b; echo $f(...['p', 'q']), "\n"; echo implode(',', array_map(fn(...$x) => count($x), [1, 2], [3, 4])), "\n";
class K { function __call($n, $a) { var_dump($n, $a); } static function __callStatic($n, $a) { var_dump($n, $a); } function __construct(public $p = 0, public $q = 0) {} }
(new K)->foo(...$l); K::bar(...$l); var_dump(new K(...$l)); var_dump(call_user_func_array('h', [1, 2]), call_user_func_array([new K, 'z'], [1]));
function gen() { yield 1; yield 2; } h(...gen()); echo max(...$l), strlen(...['abc']), "\n";
try { strlen(...[1, 2]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
g(...array_fill(0, 300, 'v'));
