<?php
// gc_collect_cycles called from destructors, callbacks, handlers and half-built literals.
class N { public $n; public $o; function __construct($n = '') { $this->n = $n; $this->o = $this; } }
class D extends N { function __destruct() { echo "~{$this->n}(", gc_collect_cycles(), ') '; } }
function garbage($k = 3) { for ($i = 0; $i < $k; $i++) new N; return gc_collect_cycles(); }
echo garbage(), "\n";
$a = [new N('x'), garbage(), new N('y')]; echo $a[0]->n, $a[1], $a[2]->o->n, "\n";
$d = new D('a'); $d = null; gc_collect_cycles(); echo "\n";
$x = new D('p'); $y = new D('q'); $x->o = $y; $y->o = $x; $x = $y = null; gc_collect_cycles(); echo "\n";
usort($a, function ($p, $q) { garbage(); return 0; }); echo json_encode(array_map(fn($e) => is_object($e) ? $e->n . garbage() : $e, $a)), "\n";
set_error_handler(function () { garbage(); return true; }); $arr = ['k' => [1, 2]]; $arr['k'][$undef] = $arr; echo json_encode($arr), "\n";
$s = 'a' . new class { function __toString() { return (string) garbage(); } } . 'b'; echo $s, "\n";
function gen() { $l = new N('gl'); yield garbage(); yield $l->o->n; } foreach (gen() as $v) { garbage(); echo $v, ' '; } echo "\n";
foreach ([new N('1'), new N('2')] as $k => $o) { garbage(); echo $o->n; } unset($o); echo gc_collect_cycles(), "\n";
$f = new Fiber(function () { $l = new N('in fiber'); garbage(); Fiber::suspend($l->o->n); garbage(); return $l->n; }); echo $f->start(), garbage(), ' '; $f->resume(); echo $f->getReturn(), "\n";
$cl = function () use (&$cl) { garbage(); return isset($cl) ? 'self' : 'none'; }; echo $cl(); $c2 = $cl; unset($cl, $c2); echo gc_collect_cycles() > 0 ? ' collected' : ' none', "\n";
class W { function __destruct() { global $w; echo isset($w[$this]) ? 'in map ' : 'gone ', count($w), ' '; gc_collect_cycles(); } } $w = new WeakMap; $k = new W; $w[$k] = new N; $k->self = $k; unset($k); gc_collect_cycles(); echo count($w), "\n";
$p = new ArrayObject; $p['me'] = $p; $p['gen'] = (function () use ($p) { yield $p; })(); $p['gen']->current(); unset($p); echo gc_collect_cycles() > 0 ? 'y' : 'n', "\n";
function deep($n) { $o = new N($n); return $n ? deep($n - 1) + $o->n : garbage(); } echo deep(50), "\n";
$res = []; for ($i = 0; $i < 3; $i++) { $o = new D("r$i"); $res[] = WeakReference::create($o); unset($o); } gc_collect_cycles(); echo count(array_filter($res, fn($r) => $r->get())), "\n";
