<?php
// Destructors that the collector calls inside of a fiber run in fibers of their own, and may suspend.
class Cycle { public $self; static $waiting = []; function __construct(public $id, public $act = '') { $this->self = $this; }
    function __destruct() { echo "<{$this->id}"; if ($this->act === 'wait') { self::$waiting[] = Fiber::getCurrent(); Fiber::suspend($this->id); } if ($this->act === 'throw') throw new Exception("e{$this->id}"); echo ">"; } }
$f = new Fiber(function () { new Cycle(1, 'wait'); gc_collect_cycles(); new Cycle(2); gc_collect_cycles(); new Cycle(3, 'wait'); gc_collect_cycles(); echo ' collected '; Fiber::suspend(); foreach (Cycle::$waiting as $w) $w->resume(); Cycle::$waiting = []; echo " resumed\n"; });
$f->start(); new Cycle(4); gc_collect_cycles(); echo " main\n"; $f->resume();
$g = new Fiber(function () { new Cycle(5, 'throw'); try { gc_collect_cycles(); } catch (Exception $e) { do echo ' ', $e->getMessage(), ' ', preg_match('/gc_destructor_fiber/', $e->getTraceAsString()); while ($e = $e->getPrevious()); } });
$g->start(); echo "\n"; $h = new Fiber(function () { $own = Fiber::getCurrent(); Fiber::suspend(); echo 'never'; }); $h->start(); $r = WeakReference::create($h); unset($h); gc_collect_cycles(); var_dump($r->get());
