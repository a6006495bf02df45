<?php
// Scope of closures made in static methods, in closures, in arrow functions, generators and traits.
class A { private $v = 'A'; static function mk() { return [fn() => isset($this), function () { return isset($this) ? 'this' : static::class; }, static fn() => self::class]; } function nested() { return function () { return static function () { return isset($this) ? 'this' : 'none'; }; }; } function deep() { return fn() => fn() => function () { return fn() => $this->v; }; } function gen() { return (function () { yield $this->v; yield from (fn() => yield static::class)(); })(); } } class B extends A {}
foreach (B::mk() as $f) var_dump($f()); echo (new A)->nested()()(), (new B)->deep()()()()(), implode(',', iterator_to_array((new B)->gen(), false)), "\n"; trait T { private $t = 'T'; function cl() { return fn() => [self::class, static::class, __CLASS__, __TRAIT__, __METHOD__, $this->t]; } static function sc() { return static fn() => [self::class, static::class, __FUNCTION__]; } } class U { use T; } class W extends U {} echo json_encode((new W)->cl()()), json_encode(W::sc()()), "\n";
function outer() { $x = 1; $f = function () use ($x) { $g = function () use ($x) { return $x + 1; }; return $g() + $x; }; return $f(); } echo outer(), "\n";
$a = 1; $inc = fn() => ++$a; echo $inc(), $a, "\n";
$arr = [1, 2]; $f = fn() => $arr[] = 3; $f(); echo count($arr), "\n";
$byref = fn(&$x) => $x++; $z = 5; $byref($z); echo $z, "\n";
$fn = fn($x) => [$x, ...array_map(fn($y) => $x . $y . $a, ['p', 'q'])]; echo json_encode($fn('o')), "\n";
$v = 'outer'; $c = fn($v) => fn() => $v; echo $c('inner')(), "\n";
$compact = fn() => compact('v'); var_dump(@$compact()); $dyn = fn() => $$v ?? 'no dynamic capture'; echo $dyn(), "\n";
$ev = fn() => eval('return $v ?? "not captured by eval";'); echo $ev(), "\n";
$st = static function () { static $n = 0; return ++$n; }; echo $st(), $st(), "\n";
echo (function () { return implode(',', array_map(fn() => func_num_args(), [1, 2])); })(), "\n";
$self = function ($n) use (&$self) { return $n <= 1 ? 1 : $n * $self($n - 1); }; echo $self(6), "\n";
$defaults = fn($a, $b = PHP_INT_SIZE, ?array $c = null, int ...$d) => func_get_args(); echo json_encode($defaults(1)), json_encode($defaults(1, 2, [], 3, 4)), "\n";
echo (fn(): int => 5)(), (fn&(array &$x) => $x[0])($arr), "\n";
class P { public $cb; } $p = new P; $p->cb = fn() => 'from prop'; echo ($p->cb)(), (clone $p)->cb->__invoke(), "\n";
$m = [new class { function hi($x) { return "hi $x"; } }, 'hi']; echo $m('arr'), (fn() => $m('arrow'))(), "\n";
