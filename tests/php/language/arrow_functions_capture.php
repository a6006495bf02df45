<?php
$b = 1; $d = [2]; $e = 3; $f = 4; $g = 5; $o = new stdClass; $k = 'x'; $v = 'e';
class T { public $x = 1; static $s = 2; const C = 3; static function st(...$a) { return $a; } function m(...$a) { return fn() => [$this->x, $a]; } }
$fs = [fn() => (1 or $e), fn() => (list(0 => $b) = $d), fn() => false && $f, fn($b) => $b + $e, fn() => fn($x) => $x + $b, fn() => fn() => fn() => $g,
 fn() => function () use ($b, &$e) { return $undefinedThere; }, fn() => [$k => $b, ...$d], fn() => "a $b {$d[0]} ${v}", fn() => $$v, fn() => $o?->$k, fn() => T::$$k, fn() => T::st($b, x: $e),
 fn() => new T($b), fn() => match ($b) { 1, $e => $f, default => $g }, fn() => yield $b => $e, fn() => isset($b, $zz[$e]), fn() => compact('b'), fn() => get_defined_vars() + [$f, $e], fn() => $_GET['x'] ?? $GLOBALS['b'],
 fn() => $b ?: $e, fn() => $b instanceof $k, fn() => new class($b) extends T { public $q = 1; function z() { return $notThis; } }, fn() => $o::class, fn() => $k::C, fn() => [$b, [$e => [, $f]]] = $d, fn() => $nope ??= $b, fn() => $b++ + --$e, fn() => throw new Exception($b), fn() => T::{$k}, fn() => $k(...), fn() => print $b, fn() => @$b, fn() => (array) $b, fn() => `echo $b`, fn() => [&$b], fn() => $e = &$f, fn(...$b) => $b, fn($b = 5) => fn($e = 3) => [$b, $e, $f]];
foreach ($fs as $i => $fn) { echo $i, ' ', implode(',', array_keys((new ReflectionFunction($fn))->getClosureUsedVariables())), "\n"; }
foreach ([0, 3, 17, 18, 20] as $i) { var_dump($fs[$i](7)); }
var_dump((new T)->m(1)());
class D { function __destruct() { echo "~D\n"; } }
function t() { $d = new D; $h = fn() => false && $d; $d = null; echo "kept\n"; return $h; }
$h = t(); $h = null; echo "end\n";
function u() { $x = 1; $f = fn($y) => fn($z) => get_defined_vars(); return $f(1)(2); } var_dump(u());
$a = 1;
foreach ([function () use ($a) { yield; }, fn() => yield $a, function ($x) use ($a) { yield; }, function () use ($a) { }] as $f) var_dump((new ReflectionFunction($f))->getClosureUsedVariables());
