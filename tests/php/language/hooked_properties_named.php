<?php
class A { public $p { get => 1; } public $q { get => $this->q; } public $w { set { } } public readonly int $r; public int $v { get => 5; } static function t($o) { foreach (['p', 'q', 'w', 'v'] as $n) { 
 foreach ([fn() => $o->$n[] = 1, fn() => $o->$n[1][2] = 1, function () use ($o, $n) { $x = &$o->$n; }, function () use ($o, $n) { unset($o->$n[1]); }, function () use ($o, $n) { unset($o->$n); }, fn() => $o->$n++, fn() => $o->$n .= 1, fn() => $o->$n = 1, fn() => $o->$n, fn() => isset($o->$n), function () use ($o, $n) { foreach ($o->$n as &$z) { } },  function () use ($o, $n) { $x = 1; $o->$n = &$x; }] as $i => $f) { try { $f(); echo "$n $i ok\n"; } catch (Error $e) { echo "$n $i ", $e->getMessage(), "\n"; } } } } }
class B extends A { }
A::t(new B); A::t(new A); A::t(new class extends A { });
class A2 { public $p { get { return $this->p2(); } set { $this->q2($value); } }
 function p2() { return $this->p; } function q2($v) { $this->p = $v; }
 public $v { get { $f = fn() => $this->v = 1; return $f(); } }
 public $w { set { echo $this->w; } }
 public $x { get { return 1; } set { } }
 public int $u { get => $this->u; set { } }
 public readonly int $r;
 public $vv { get { return 1; } }
 }
class B2 extends A2 { }
function t($f) { try { var_dump($f()); } catch (Throwable $e) { do echo get_class($e), ': ', $e->getMessage(), "\n"; while ($e = $e->getPrevious()); } }
foreach (['A2', 'B2'] as $c) {
t(function () use ($c) { $o = new $c; $o->w = 1; }); t(fn() => (new $c)->u); t(function () use ($c) { $o = new $c; unset($o->u); }); t(function () use ($c) { $o = new $c; unset($o->vv); });
t(function () use ($c) { $o = new $c; $x = &$o->u; }); t(function () use ($c) { $o = new $c; $o->u = &$x; }); t(function () use ($c) { $o = new $c; $o->w = &$x; });
t(function () use ($c) { $o = new $c; $o->r = 1; }); t(fn() => (new $c)->r);
t(function () use ($c) { $r = new ReflectionProperty($c, 'w'); return $r->getRawValue(new $c); });
t(function () use ($c) { $r = new ReflectionProperty($c, 'v'); return $r->setRawValue(new $c, 1); });
t(function () use ($c) { $r = new ReflectionProperty($c, 'w'); return $r->getValue(new $c); });
t(function () use ($c) { $r = new ReflectionProperty($c, 'v'); return $r->setValue(new $c, 1); });
}
