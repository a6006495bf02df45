<?php
// Shallow copies, __clone, references in slots, private __clone, readonly in __clone.
class P { public $o; public $arr = []; public $r; function __construct() { $this->o = new stdClass; $this->o->v = 1; } }
$a = new P; $b = clone $a; $b->o->v = 2; var_dump($a->o->v); $b->arr[] = 1; var_dump(count($a->arr));
$x = 1; $a->r = &$x; $c = clone $a; $c->r = 'via clone'; var_dump($x, $a->r);
class Q extends P { public $log = ''; function __clone() { $this->o = clone $this->o; $this->log .= 'cloned'; } }
$a = new Q; $b = clone $a; $b->o->v = 99; var_dump($a->o->v, $a->log, $b->log, $a == $b);
class Priv { private function __clone() {} static function c(self $s) { return clone $s; } }
try { clone new Priv; } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump(Priv::c(new Priv) instanceof Priv);
class Prot { protected function __clone() {} } try { clone new Prot; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $i = 5; clone $i; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { clone null; } catch (Error $e) { echo $e->getMessage(), "\n"; }
class Ro { public function __construct(public readonly array $data, public readonly ?Ro $in = null) {} function __clone(): void { $this->data = [...$this->data, 'c']; } }
$r = new Ro([1]); $s = clone $r; echo json_encode([$r->data, $s->data]), "\n";
class Ro2 { public function __construct(public readonly int $v) {} function __clone(): void { $this->v = 2; try { $this->v = 3; } catch (Error $e) { echo $e->getMessage(), "\n"; } } } echo (clone new Ro2(1))->v, "\n";
try { enum E { case A; } clone E::A; } catch (Error $e) { echo $e->getMessage(), "\n"; }
$d = new stdClass; $d->dyn = [1, 2]; $e = clone $d; $e->dyn[] = 3; $e->other = 1; echo json_encode([$d, $e]), "\n";
$c = new ArrayObject([1, 2]); $d = clone $c; $d[] = 3; echo count($c), count($d), "\n";
class Node { public $kids = []; function __clone() { foreach ($this->kids as $k => $v) $this->kids[$k] = clone $v; } } $n = new Node; $n->kids[] = new Node; $m = clone $n; var_dump($m->kids[0] === $n->kids[0], $m == $n);
class Thr { function __clone() { throw new Exception('no clone'); } } try { $t = clone new Thr; } catch (Exception $e) { echo $e->getMessage(), "\n"; }
class G { public $a = 1; public $b; function __get($n) { return "magic $n"; } } $g = new G; unset($g->a); $h = clone $g; echo $h->a, "\n";
echo (clone $g)->a, ' ', (clone (new P))->o->v, "\n";
