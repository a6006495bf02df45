<?php
// One instruction, names and classes that change: properties, methods and functions named by values.
class A { public $x = 'Ax'; public $y = 'Ay'; private $p = 'Ap'; function m() { return 'Am'; } function n() { return 'An'; } private function q() { return 'Aq'; }
    function own($name) { return $this->$name; } function call($name) { return $this->$name(); } }
class B extends A { public $x = 'Bx'; private $p = 'Bp'; function m() { return 'Bm'; } function __get($n) { return "get $n"; } function __call($n, $a) { return "call $n"; } }
function one() { return 'one'; } function two() { return 'two'; }
foreach ([new A, new B, new A] as $o) {
    foreach (['x', 'y', 'x', 'none', 'p'] as $name) {
        try { var_dump(@$o->$name); } catch (Error $e) { echo $e->getMessage(), "\n"; }
        try { var_dump($o->own($name)); } catch (Error $e) { echo $e->getMessage(), "\n"; }
    }
    foreach (['m', 'M', 'n', 'm', 'q', 'none'] as $name) {
        foreach ([fn() => $o->$name(), fn() => $o->call($name), fn() => [$o, $name](), fn() => call_user_func([$o, $name])] as $way) {
            try { var_dump($way()); } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
        }
    }
    unset($o->x); $name = 'x';
    try { var_dump(@$o->$name); } catch (Error $e) { echo $e->getMessage(), "\n"; }
}
foreach (['one', 'two', 'ONE', '\\two', 'strrev', 'none'] as $f) {
    try { var_dump($f('ab'), call_user_func($f, 'ab')); } catch (Error $e) { echo $e->getMessage(), "\n"; }
}
class R { function __construct(public readonly int $id, private(set) string $s = 'a') {} function set($v) { $this->id = $v; } function t($v) { $this->s = $v; return $this->s; } }
foreach ([1, 2] as $n) { $r = new R($n); var_dump($r->id, $r->t("t$n")); try { $r->set(5); } catch (Error $e) { echo $e->getMessage(), "\n"; } try { $r->s = 'x'; } catch (Error $e) { echo $e->getMessage(), "\n"; } }
class Z extends R { function z($v) { $this->s = $v; } } try { (new Z(3))->z('no'); } catch (Error $e) { echo $e->getMessage(), "\n"; }
