<?php
// References that several typed properties share, and what ends that: unset, another reference, static properties.
class A { public int|string $x; public float|string $y; public ?int $n = 1; public $plain; static int $si = 1; static ?array $sa; static iterable $it = []; }
function show(callable $f) { try { var_dump($f()); } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; } }
$a = new A; $a->x = 42; show(function () use ($a) { $a->y = &$a->x; });
$a->y = 1.5; show(function () use ($a) { $a->x = &$a->y; });
$r = 'both'; $a->x = &$r; $a->y = &$r; show(function () use (&$r) { $r = 7; return $r; }); show(function () use (&$r) { return $r = []; });
unset($a->x); show(function () use (&$r) { return $r = 2.5; }); unset($a->y); show(function () use (&$r) { return $r = []; });
$i = &$a->n; $a->plain = &$a->n; $a->n = PHP_INT_MAX; show(function () use ($a) { return $a->plain++; }); show(function () use ($a) { return ++$a->plain; }); var_dump($a->n);
show(fn() => A::$si = 'x'); show(fn() => A::$si); $s = &A::$si; show(function () use (&$s) { $s = 'y'; }); A::$sa = &A::$it; show(fn() => A::$it = new ArrayIterator);
A::$sa = &$other; A::$it = new ArrayIterator; show(function () use (&$other) { $other = 1; }); var_dump($other);
class U { static int $u; static ?int $v; } show(fn() => U::$u = 'no'); show(fn() => U::$u); show(function () { $r = &U::$u; }); show(function () { $r = &U::$v; return $r; });
$o = new stdClass; $o->p = &$a->n; show(fn() => $o->p = 'text'); show(function () use ($o) { return $o->p = @$undefined; });
