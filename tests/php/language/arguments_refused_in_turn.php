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
// Also before variables that nobody has set become null.
(function () {
function f2(bool|int|null &$x = null, &$y = null) {
}
try { f2((1 > []), $f); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f);
try { f2(1, $g); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($g);
try { f2(1 + $q, $h); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($h);
try { f2($i, 1); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($i);
try { f2($j, $k, 1, $l); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($j, $k);
try { f3((1 > []), $f3); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f3);
try { f3(1, $f3); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f3);
try { f3(-$u, $f3); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f3);
try { C::f((1 > []), $f4); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f4);
try { (new C)->g((1 > []), $f5); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f5);
try { (new C)->g(1, $f6); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f6);
try { new D(1, $f7); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f7);
$v = 'f2'; try { $v(1, $f8); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f8);
try { preg_match('/a/', 'a', 1, $f9); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f9);
try { f2(1, $f10[1]); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f10);
try { f2(1, $f10->x); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($f10);
function w1() { foreach (1 as $f => $f) { }
try {
    $a = f2((1 > []), $f);
} catch (\Throwable $t) { echo $t::class, ': ', $t->getMessage(), ' @', $t->getLine(), "\n"; }
$g = $f; } w1();
function w2() {
try {
    $a = f2(1, $f);
} catch (\Throwable $t) { echo $t::class, ': ', $t->getMessage(), ' @', $t->getLine(), "\n"; }
$g = $f; } w2();
function f3(bool|int|null &$x = null, &$y = null) { }
class C { static function f(&$a, &$b) {} function g(&$a, &$b) {} }
class D { function __construct(&$a, &$b) {} }

})();
