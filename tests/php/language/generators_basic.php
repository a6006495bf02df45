<?php
// Keys, values, send, return, current/next/rewind protocol.
function g() { $x = yield 1; echo "[got ", var_export($x, true), "]"; $y = yield 2; echo "[got ", var_export($y, true), "]"; return 'ret'; }
$g = g(); var_dump($g->current(), $g->send('A'), $g->send('B'), $g->valid(), $g->getReturn(), $g->current(), $g->key());
$g = g(); var_dump($g->send('first'));
$g = g(); $g->next(); var_dump($g->current());
function keys() { yield 'a' => 1; yield 2; yield 10 => 3; yield 4; yield 'z' => 5; yield 6; yield [1] => 7; yield null => 8; yield; }
foreach (keys() as $k => $v) { echo json_encode($k), '=>', json_encode($v), ' '; } echo "\n";
function fin() { try { yield 1; yield 2; } finally { echo "finally "; } }
foreach (fin() as $v) { echo $v; break; } echo "\n";
$f = fin(); $f->current(); unset($f); echo "\n";
$f = fin(); unset($f); echo "not started\n";
$f = fin(); foreach ($f as $v) echo $v; try { foreach ($f as $v); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
$f = fin(); $f->current(); $f->next(); try { $f->rewind(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
unset($f); echo "\n";
$f = fin(); $f->rewind(); $f->rewind(); echo $f->current(), "\n"; $f = null; echo "\n";
function thr() { try { yield 1; } catch (Exception $e) { echo 'caught ', $e->getMessage(), ' '; yield 'after'; } yield 'end'; }
$t = thr(); $t->current(); echo $t->throw(new Exception('E')), ' '; $t->next(); echo $t->current(), "\n";
$t = thr(); try { $t->throw(new Exception('unstarted')); } catch (Exception $e) { echo 'outer ', $e->getMessage(), "\n"; } var_dump($t->valid());
function thr2() { throw new LogicException('body'); yield; }
try { foreach (thr2() as $x); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
try { g()->getReturn(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
$t = thr2(); try { $t->current(); } catch (LogicException) {} try { $t->getReturn(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
function rec() { global $rg; yield from [1]; $rg->next(); yield 2; }
$rg = rec(); try { foreach ($rg as $v) echo $v, ' '; } catch (Error $e) { echo $e->getMessage(), "\n"; }
function empt() { return 3; yield; } $e = empt(); var_dump($e->valid(), $e->getReturn());
function &byref(array &$a) { foreach ($a as $k => &$v) yield $k => $v; }
$arr = [1, 2, 3]; foreach (byref($arr) as &$v) $v *= 2; unset($v); echo json_encode($arr), "\n";
try { foreach (g() as &$v); } catch (Throwable $e) { echo $e->getMessage(), "\n"; }
try { clone g(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { new Generator; } catch (Error $e) { echo $e->getMessage(), "\n"; }
$lazy = (function () { echo 'started '; yield 1; })(); echo 'created '; foreach ($lazy as $v) echo $v, "\n";
function fibg() { [$a, $b] = [0, 1]; while (true) { yield $a; [$a, $b] = [$b, $a + $b]; } }
foreach (fibg() as $i => $f) { if ($i > 15) break; echo $f, ' '; } echo "\n";
var_dump(iterator_to_array((function () { yield 'a' => 1; yield 'a' => 2; yield 'b' => 3; })()), iterator_to_array((function () { yield 'a' => 1; yield 'a' => 2; })(), false));
$arr = [...(function () { yield 1; yield 2; })()]; echo count($arr), "\n";
function prec() { $r = (yield 1) + (yield 2); return $r; } $p = prec(); $p->current(); $p->send(10); $p->send(20); echo $p->getReturn(), "\n";
function argy() { return max(yield 'a', yield 'b'); } $p = argy(); $p->current(); $p->send(3); $p->send(9); echo $p->getReturn(), "\n";
class Coll implements IteratorAggregate { function getIterator(): Iterator { yield 'x'; yield 'y'; } } foreach (new Coll as $k => $v) echo $k, $v; echo "\n";
echo get_class(g()), ' ', implode(',', class_implements('Generator')), "\n";
