<?php
// A suspended fiber that is destroyed runs its finally blocks and destructors.
class D { function __construct(public $n) {} function __destruct() { echo "~{$this->n} "; } }
$f = new Fiber(function () { $d = new D('local'); try { Fiber::suspend(1); echo 'never'; } catch (Throwable $e) { echo 'never caught'; } finally { echo 'finally '; } });
$f->start(); unset($f); gc_collect_cycles(); echo "after unset\n";
$f = new Fiber(function () { try { Fiber::suspend(); } finally { try { Fiber::suspend(); } catch (FiberError $e) { echo $e->getMessage(), ' '; } } }); $f->start(); $f = null; echo "\n";
$f = new Fiber(function () { $in = new Fiber(function () { try { Fiber::suspend(); } finally { echo 'inner-fin '; } }); $in->start(); try { Fiber::suspend(); } finally { echo 'outer-fin '; } }); $f->start(); $f = null; echo "\n";
function g() { try { yield 1; Fiber::suspend(); yield 2; } finally { echo 'gen-fin '; } } $f = new Fiber(function () { foreach (g() as $v) echo $v, ' '; }); $f->start(); unset($f); echo "\n";
class S { function __destruct() { echo 'd-start '; Fiber::suspend(); echo 'd-end '; } } $f = new Fiber(function () { $s = new S; unset($s); echo 'after '; }); $f->start(); echo '| '; $f->resume(); echo "\n";
$f = new Fiber(function () { throw new D2; }); class D2 extends Exception { function __construct() { parent::__construct('d2'); } } try { $f->start(); } catch (D2 $e) { echo $e->getMessage(), ' ', count($e->getTrace()), "\n"; }
$f = new Fiber(function () { $x = yield_like(); return $x; }); function yield_like() { return Fiber::suspend('q'); } $f->start(); try { $f->throw(new TypeError('te')); } catch (TypeError $e) { echo $e->getMessage(), ' ', $e->getTrace()[0]['function'] ?? '-', "\n"; } var_dump($f->isTerminated());
$s = new Fiber(function () { static $n = 0; global $gl; $gl = 'set in fiber'; $n++; ob_start(); echo 'buffered'; Fiber::suspend(); return ob_get_clean(); }); $s->start(); echo 'x'; $s->resume(); echo '[', $s->getReturn(), '] ', $gl, "\n";
$keep = new Fiber(function () { $d = new D('at end'); try { Fiber::suspend(); } finally { echo "fin at shutdown\n"; } }); $keep->start(); echo "end\n";
