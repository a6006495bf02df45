<?php
// __clone that changes the source, the variable holding the clone, throws, or clones again.
class C { public $v = 1; public $kids = []; function __clone() { global $src, $dst; echo 'clone '; $src->v = 'source changed'; $dst = 'dst set early'; foreach ($this->kids as $k => $c) $this->kids[$k] = clone $c; } } $src = new C; $src->kids = [new C, new C]; $dst = clone $src; echo json_encode([$src, $dst]), "\n";
class T { public $o; function __clone() { throw new Exception('clone throws'); }
function __destruct() { echo '~T '; } } $t = new T; $u = 'old'; try { $u = clone $t; } catch (Exception $e) { echo $e->getMessage(), ' ', $u, "\n";
} unset($t); echo "\n";
class Rep { public $x = 1; function __clone() { global $rep; $rep = null; $this->x++; }
function __destruct() { echo "~Rep{$this->x} "; } } $rep = new Rep; $c = clone $rep; var_dump($rep, $c->x); unset($c); echo "\n";
class Deep { public ?Deep $n = null; static $depth = 0; function __clone() { self::$depth++; if ($this->n) $this->n = clone $this->n; } } $d = new Deep; for ($i = 0; $i < 200; $i++) { $x = new Deep; $x->n = $d; $d = $x; } $e = clone $d; echo Deep::$depth, "\n";
class Dyn { function __clone() { unset($this->a); $this->b = [$this]; } } #[AllowDynamicProperties] class Dyn2 extends Dyn {} $y = new Dyn2; $y->a = 1; $z = clone $y; var_dump(isset($z->a), $z->b[0] === $z, isset($y->a)); class R { public $ref; function __clone() { $this->ref = 'set in clone'; } } $v = 'shared'; $r = new R; $r->ref = &$v; $r2 = clone $r; echo $v, $r->ref, "\n";
class Priv { private function __clone() { }
function go() { return clone $this; } } var_dump((new Priv)->go() instanceof Priv); class Ex2 extends Priv { } try { $q = clone new Ex2; } catch (Error $e) { echo $e->getMessage(), "\n";
} abstract class Base { function __clone() { static::after($this); } abstract static function after($o); }
class Im extends Base { public $l = []; static function after($o) { $o->l[] = 'after'; } } $i = new Im; $j = clone $i; $k = clone $j; echo count($i->l), count($j->l), count($k->l), "\n";
class Gc { public $me; function __construct() { $this->me = $this; }
function __clone() { gc_collect_cycles(); $this->me = $this; } } $g = new Gc; for ($n = 0; $n < 50; $n++) $g = clone $g; var_dump($g->me === $g); $m = new WeakMap; class Wm { function __clone() { global $m; $m[$this] = 'registered'; } } $w = new Wm; $w2 = clone $w; echo count($m), "\n";
unset($w2); echo count($m), "\n";
