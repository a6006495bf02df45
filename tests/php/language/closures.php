<?php
// Binding by value and by reference, $this, scope, static, nesting, recursion.
$x = 1;
$f = function () use ($x) { return ++$x; };
echo $f(), $f(), $x, "\n";
$g = function () use (&$x) { return ++$x; };
echo $g(), $g(), $x, "\n";
$h = fn($y) => $x + $y; $x = 100; echo $h(1), "\n";
$n = fn($a) => fn($b) => $a + $b + $x; echo $n(1)(2), "\n";
$w = fn() => $x++; $w(); echo $x, "\n";
echo (function () { return implode(',', func_get_args()); })(1, 2, 3), "\n";
class A {
    private $v = 'private'; static private $sv = 'sprivate';
    function getC() { return function () { return $this->v; }; }
    function getS() { return static function () { return isset($this); }; }
    static function st() { return function () { return isset($this) ? 'this' : static::class; }; }
    function arrow() { return fn() => $this->v; }
}
class B extends A {}
$a = new A; echo $a->getC()(), ' ', var_export($a->getS()(), true), ' ', $a->arrow()(), ' ', (B::st())(), "\n";
$u = function () { return $this->v ?? 'none'; };
echo Closure::bind($u, new A, A::class)(), ' ', $u->bindTo(new A, A::class)(), ' ', $u->call(new A), "\n";
$sc = Closure::bind(fn() => static::$sv, null, A::class); echo $sc(), "\n";
$st = static fn() => 1;
var_dump(@Closure::bind($st, new A)); Closure::bind($st, new A);
try { $unb = function () { return $this; }; $unb(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
$fact = function ($n) use (&$fact) { return $n < 2 ? 1 : $n * $fact($n - 1); }; echo $fact(10), "\n";
$counter = function () { static $c = 0; return ++$c; };
echo $counter(), $counter(); $c2 = clone $counter; echo $c2(), $counter(), $c2(), "\n";
function mk() { return function () { static $k = 10; return $k++; }; } $m1 = mk(); $m2 = mk(); echo $m1(), $m1(), $m2(), "\n";
var_dump($f instanceof Closure, is_callable($f), is_object($f));
echo array_sum(array_map(fn($v) => $v ** 2, [1, 2, 3])), "\n";
$def = function (int $a, $b = PHP_INT_SIZE, ...$c): string { return "$a $b " . count($c); }; echo $def(1), '|', $def(1, 2, 3, 4), "\n";
try { $def('x'); } catch (TypeError $e) { echo preg_replace('/, called.*/', '', $e->getMessage()), "\n"; }
try { $def(); } catch (ArgumentCountError $e) { echo preg_replace('/ in .* on line \d+/', '', $e->getMessage()), "\n"; }
$byref = function (&$z) { $z .= '!'; }; $s = 'hey'; $byref($s); echo $s, "\n";
$refret = function &(array &$arr) { return $arr[0]; }; $ar = [1]; $rr = &$refret($ar); $rr = 5; echo $ar[0], "\n";
$compose = fn(callable ...$fs) => fn($x) => array_reduce($fs, fn($acc, $f) => $f($acc), $x);
echo $compose('trim', strrev(...), fn($s) => "[$s]")('  abc '), "\n";
try { $o = new stdClass; $f->prop = 1; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { serialize($f); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
try { new Closure; } catch (Error $e) { echo $e->getMessage(), "\n"; }
echo (function () { return __FUNCTION__ . '|' . __METHOD__; })(), "\n";
class H { public $cb; function __construct() { $this->cb = fn() => 'called'; } function cb() { return 'method'; } } $hh = new H; echo $hh->cb(), ($hh->cb)(), "\n";
var_dump((new ReflectionFunction($def))->getNumberOfRequiredParameters());
print_r((fn(int $q, &$r) => $q));
$y = 5; $nested = function () use ($y) { return fn() => $y * 2; }; echo $nested()(), "\n";
$undef = function () use ($nope) { var_dump($nope); }; $undef();
$arrowundef = fn() => $nope2 ?? 'dflt'; echo $arrowundef(), "\n";
// The outer one of two arrow functions captures what the inner one names, be it a parameter there.
$x = 'x'; $y = 'y';
print_r([fn() => fn($x) => $x, fn() => fn() => fn($x) => $x . $y, fn($x) => fn() => fn($x) => $x . $y, fn() => fn($x = 1) => $y, fn() => function ($x) use ($y) { return $x; }]);
