<?php
// What an assignment gives when the destructor of the old value changes the variable; by reference it is what is there afterwards.
class D { public $v; static ?D $s = null; function __construct(public $name) {} function __destruct() { global $a, $o; $a = null; D::$s = null; if ($o) $o->p = null; echo "~{$this->name} "; } }
class O { public ?D $p = null; public $u; }
$a = new D('a1'); var_dump(($a = new D('a2'))?->name); $t = new D('t'); $a = new D('a3'); var_dump(($a = &$t)?->name); unset($a);
D::$s = new D('s1'); var_dump((D::$s = new D('s2'))?->name); D::$s = null;
$o = new O; $o->p = new D('p1'); var_dump(($o->p = new D('p2'))?->name); var_dump($o->p?->name); $o = null;
function val() { return 42; } $x = 1; var_dump($x = &val()); class C { public int $n = 0; } $c = new C; var_dump($c->n = &val(), $c->n);
function &ref() { static $r = 5; return $r; } $c->n = &ref(); $q = &ref(); try { $q = 'text'; } catch (TypeError $e) { echo $e->getMessage(), "\n"; } var_dump($c->n);
set_error_handler(function ($n, $m) { echo "[$m] "; unset($GLOBALS['g']); }); $g = true; var_dump(--$g); $g = 'a b'; var_dump($g++); $g = false; var_dump($g--);
echo "\n";
