<?php
// Generators that are resumed, destroyed or inspected while they run.
function running() { global $g; try { $g->next(); } catch (Error $e) { echo $e->getMessage(), ' '; } try { $g->send(1); } catch (Error $e) { echo $e->getMessage(), ' '; } var_dump($g->valid()); yield 1; } try { $g = running(); foreach ($g as $v) echo $v, "\n";
} catch (Error $e) { echo $e->getMessage(), "\n";
}
function self_destroy() { global $sd; $sd = null; echo 'continues '; yield 1; echo 'resumed '; yield 2; } $sd = self_destroy(); foreach ($sd as $v) { echo $v, ' '; } echo "\n";
function fin() { try { yield 1; yield 2; } finally { echo 'fin{'; foreach (inner() as $x) echo $x; echo '} '; } }
function inner() { try { yield 'a'; yield 'b'; } finally { echo 'inner-fin '; } } foreach (fin() as $v) { echo $v, ' '; break; } echo "\n";
function fin_yield() { try { yield 1; } finally { yield 'from finally'; echo 'after '; } } $f = fin_yield(); $f->current(); try { unset($f); } catch (Error $e) { echo $e->getMessage(), ' '; } echo "destroyed\n"; $f = fin_yield(); foreach ($f as $v) echo $v, ' '; echo "\n";
function fin_throw() { try { yield 1; } finally { throw new Exception('in finally'); } } $f = fin_throw(); $f->current(); try { unset($f); } catch (Exception $e) { echo $e->getMessage(), "\n";
}
function fin_return() { try { yield 1; } finally { return 'ret'; } } $f = fin_return(); $f->current(); try { $f->throw(new Exception('swallowed')); echo $f->getReturn(), "\n";
} catch (Exception $e) { echo 'not swallowed ', $e->getMessage(), "\n";
}
class Res { function __construct(public $n) { echo "open {$this->n} "; }
function __destruct() { echo "close {$this->n} "; } }
function res() { $r = new Res('r'); foreach ([new Res('tmp')] as $t) { yield $t->n; } } foreach (res() as $v) { echo $v, ' '; break; } echo "\n";
foreach (res() as $v) { echo $v, ' '; } echo "\n";
function mid() { $x = [new Res('in array'), yield 1, new Res('never')]; } $m = mid(); $m->current(); unset($m); echo "\n";
function call() { strlen(yield 'arg'); return max(new Res('x') ? 1 : 0, yield 2); } $c = call(); $c->current(); $c->send('str'); unset($c); echo "\n";
function multi() { try { try { yield 1; } finally { echo 'f1 '; } } catch (Exception $e) { echo 'caught ', $e->getMessage(), ' '; yield 'recovered'; } finally { echo 'f2 '; } } $m = multi(); $m->current(); echo $m->throw(new Exception('T')), ' '; unset($m); echo "\n";
function delegating() { try { yield from fin(); } finally { echo 'outer '; } } $d = delegating(); $d->current(); $d = null; echo "\n";
function shared_inner() { yield 1; yield 2; yield 3; } $sh = shared_inner(); function user($n, $sh) { try { foreach ([1] as $_) { yield $n => yield from $sh; } } finally { echo "~$n "; } } $u1 = user('u1', $sh); $u2 = user('u2', $sh); echo $u1->current(), $u2->current(); $u1->next(); echo $u2->current(); unset($u1); $u2->next(); echo $u2->current() ?? 'null', "\n";
unset($u2); echo "\n";
function exc_in_loop() { foreach ([1, 2, 3] as $i) { try { yield $i; } catch (Exception $e) { echo "skip$i "; continue; } finally { echo "f$i "; } } } $x = exc_in_loop(); foreach (range(1, 3) as $_) { echo $x->current() ?? 'end', ' '; if ($x->valid()) $x->throw(new Exception); } echo "\n";
function gc() { global $gcg; $me = $gcg; yield 1; } $gcg = gc(); $gcg->current(); $gcg = null; gc_collect_cycles(); echo "collected\n"; function &refgen(array &$a) { foreach ($a as $k => &$v) yield $k => $v; } $arr = [1, 2, 3]; foreach (refgen($arr) as $k => &$v) { if ($k === 0) { unset($arr[1]); $arr[] = 4; } $v .= '!'; } unset($v); echo json_encode($arr), "\n";
function fibg() { $x = yield; while (true) $x = yield Fiber::suspend($x); } $fb = new Fiber(function () { $g = fibg(); $g->current(); return [$g->send('a'), $g->send('b')]; }); echo $fb->start(), $fb->resume('A'), ' '; $fb->resume('B'); echo json_encode($fb->getReturn()), "\n";
$fb = new Fiber(function () { global $gg; $gg = (function () { yield Fiber::suspend(); })(); $gg->current(); }); $fb->start(); try { $gg->next(); } catch (Error $e) { echo $e->getMessage(), "\n";
}
