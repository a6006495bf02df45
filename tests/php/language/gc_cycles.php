<?php
// gc_collect_cycles counts, destructors of cycles, resurrection, gc_status.
gc_collect_cycles();
$a = new stdClass; $a->self = $a; unset($a); var_dump(gc_collect_cycles());
$a = []; $a[0] = &$a; unset($a); var_dump(gc_collect_cycles());
$a = new stdClass; $b = new stdClass; $a->b = $b; $b->a = $a; $a->data = [1, [2]]; unset($a, $b); var_dump(gc_collect_cycles() > 0, gc_collect_cycles());
class D { public $o; public $n; function __construct($n) { $this->n = $n; } function __destruct() { echo "~{$this->n} "; } }
$x = new D('x'); $y = new D('y'); $x->o = $y; $y->o = $x; unset($x, $y); echo 'unset '; gc_collect_cycles(); echo "collected\n";
class R { public $me; static $keep; function __construct() { $this->me = $this; } function __destruct() { echo 'resurrect '; self::$keep = $this; } } new R; gc_collect_cycles(); var_dump(R::$keep->me === R::$keep); R::$keep = null; var_dump(gc_collect_cycles() > 0);
$c = function () use (&$c) { return $c; }; unset($c); var_dump(gc_collect_cycles() > 0);
class P { public $kids = []; public $par; function add(P $k) { $this->kids[] = $k; $k->par = $this; return $k; } } $root = new P; $root->add(new P)->add(new P); $w = WeakReference::create($root); unset($root); var_dump($w->get() === null); gc_collect_cycles(); var_dump($w->get() === null);
function gen() { $g = yield; yield $g; } $g = gen(); $g->current(); $g->send($g); $w = WeakReference::create($g); unset($g); gc_collect_cycles(); var_dump($w->get() === null);
gc_disable(); var_dump(gc_enabled()); gc_enable(); var_dump(gc_enabled(), array_keys(gc_status())); $ao = new ArrayObject; $ao['me'] = $ao; $w = WeakReference::create($ao); unset($ao); gc_collect_cycles(); var_dump($w->get()); $s = new SplObjectStorage; $s[$s] = 1; $w = WeakReference::create($s); unset($s); gc_collect_cycles(); var_dump($w->get());
$f = new D('bound'); $f->o = fn() => $f; $f->o2 = Closure::bind(function () { return $this; }, $f); unset($f); gc_collect_cycles(); echo "\n";
for ($i = 0; $i < 20000; $i++) { $t = new stdClass; $t->t = $t; } unset($t); var_dump(gc_status()['runs'] > 0); class T { public $c; function __destruct() { throw new Exception('gc destructor'); } } $t = new T; $t->c = $t; unset($t); try { gc_collect_cycles(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
class Ex extends Exception { public $self; } $e = new Ex; $e->self = $e; unset($e); var_dump(gc_collect_cycles() >= 1);
