<?php
// public private(set) and friends.
class A {
    public private(set) int $p = 1; public protected(set) array $q = []; protected private(set) string $r = 'r'; public public(set) int $open = 0;
    function setP($v) { $this->p = $v; return $this; } function &refP() { return $this->p; }
    public function __construct(public private(set) string $promo = 'pr') {}
}
class B extends A { function setQ($v) { $this->q[] = $v; return $this->q; } function tryP($v) { $this->p = $v; } function getR() { return $this->r; } function setR() { $this->r = 'x'; } }
$a = new A; $b = new B;
foreach ([fn() => $a->p, fn() => $a->p = 2, fn() => $a->p++, fn() => $a->setP(5)->p, fn() => $a->q[] = 1, fn() => $b->setQ(7), fn() => $b->tryP(1), fn() => $b->getR(), function () use ($a) { unset($a->p); }, function () use ($a) { $r = &$a->p; }, fn() => $a->open = 3, fn() => $a->promo, fn() => $a->promo = 'z', fn() => $a->r, fn() => isset($a->p, $a->q), function () use ($a) { foreach ($a as $k => &$v) { $v = 1; } }, function () use ($a) { [$a->p] = [1]; }, function () use ($a) { $x = &$a->refP(); $x = 77; return $a->p; }, fn() => (function () { return $this->p = 88; })->call($a), fn() => array_push($a->q, 1), fn() => settype($a->p, 'string')] as $i => $f)
    try { echo $i, ' '; var_dump($f()); } catch (Error $e) { echo $e->getMessage(), "\n"; }
$r = new ReflectionProperty('A', 'p'); var_dump($r->isPrivateSet(), $r->isProtectedSet(), $r->isPublic(), Reflection::getModifierNames($r->getModifiers()));
class O { public private(set) stdClass $obj; function __construct() { $this->obj = new stdClass; } } $o = new O; $o->obj->dyn = 1; echo json_encode($o), "\n";
class Ro { public protected(set) readonly int $x; function init() { $this->x = 1; } } $ro = new Ro; $ro->init(); try { $ro->x = 2; } catch (Error $e) { echo $e->getMessage(), "\n"; }
class Hk { public private(set) string $h = 'a' { get => strtoupper($this->h); } function s($v) { $this->h = $v; } } $h = new Hk; $h->s('xyz'); echo $h->h, "\n"; try { $h->h = 'q'; } catch (Error $e) { echo $e->getMessage(), "\n"; }
$c = clone $a; var_dump($c->p); class MG { public private(set) int $v = 1; function __set($n, $x) { echo "__set($n)\n"; } } $mg = new MG; try { $mg->v = 5; } catch (Error $e) { echo $e->getMessage(), "\n"; }
