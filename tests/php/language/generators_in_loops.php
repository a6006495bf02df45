<?php
function g($n) { for ($i=0;$i<$n;$i++) { $x = yield $i => $i*2; } return 'r'; }
$s=0; foreach (g(20000) as $k=>$v) { $s += $k+$v; } echo $s, "\n";
function inner() { yield 1; yield 2; return 3; }
function outer() { yield 0; $r = yield from inner(); yield $r; yield from [7,8]; try { yield 9; throw new Exception("x"); } finally { echo "fin\n"; } }
try { foreach (outer() as $k => $v) { echo "$k=>$v\n"; } } catch (Exception $e) { echo $e->getMessage(), "\n", $e->getTraceAsString(), "\n"; }
function tr($d) { if ($d) { yield from tr($d-1); yield $d; yield from tr($d-1); } }
foreach (tr(4) as $v) echo $v; echo "\n";
class D { function __construct(public $n) {} function __destruct() { echo "d{$this->n}\n"; } }
function ds() { for ($i=0;$i<3;$i++) yield new D($i); }
foreach (ds() as $o) { echo "body {$o->n}\n"; $o = null; } 
foreach (ds() as $o) { echo "body {$o->n}\n"; }
function bt() { debug_print_backtrace(); yield 1; debug_print_backtrace(); yield 2; }
function caller() { foreach (bt() as $x) { foreach (bt() as $y) {} } }
caller();
$g = (function() { $x = 0; while (true) { $x += yield $x; if ($x > 10) return; } })();
foreach ($g as $v) { echo $v, ","; $g->send(3); } echo "\n";
foreach (g(3) as [$a]) {}
function self_use() { global $sg; yield 1; try { foreach ($sg as $z) {} } catch (Throwable $e) { echo $e->getMessage(), "\n"; } yield 2; }
$sg = self_use(); foreach ($sg as $q) echo $q, "\n";
function typed(): Generator { yield 'a' => 1; yield 'b' => 2; }
class P { public int $t = 0; } $p = new P; $ref = &$p->t;
try { foreach ((function() { yield 1; yield "zz"; })() as $ref) { var_dump($ref); } } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
$f = new Fiber(function() { foreach ((function() { yield 1; Fiber::suspend('s'); yield 2; })() as $v) { echo "F$v\n"; } });
echo $f->start(), "\n"; $f->resume();
$f = new Fiber(function() { foreach ((function() { try { yield 1; Fiber::suspend('s'); yield 2; } finally { echo "fin2\n"; } })() as $v) { echo "F$v\n"; } });
echo $f->start(), "\n"; unset($f); gc_collect_cycles(); echo "end\n";
function early() { try { yield 1; yield 2; } finally { echo "early fin\n"; } }
foreach (early() as $v) { break; } echo "after\n";
function ex() { foreach (early() as $v) { if ($v == 2) throw new LogicException("L"); } }
try { ex(); } catch (LogicException $e) { echo get_class($e), "\n"; }
echo "--- chains\n";
function leafg($n) { try { for ($i = 0; $i < $n; $i++) { $r = yield $i; } return "L$n"; } finally { echo "[leaf fin]"; } }
function mid($n) { $r = yield from leafg($n); yield "mid:$r"; $q = yield from [10, 20]; var_dump($q); return "M"; }
function rootg() { $m = yield from mid(2); yield $m; $m = yield from mid(0); yield $m; }
foreach (rootg() as $k => $v) { echo "$k=>$v\n"; }
function thrower() { yield 1; debug_print_backtrace(); throw new RuntimeException("t"); }
function catcher() { try { yield from thrower(); } catch (RuntimeException $e) { echo "caught ", $e->getMessage(), "\n"; yield "c"; yield from thrower(); } }
try { foreach (catcher() as $v) echo "$v\n"; } catch (RuntimeException $e) { echo "out ", $e->getMessage(), "\n", preg_replace('~/\S*/~', '', $e->getTraceAsString()), "\n"; }
function shared() { for ($i = 0; $i < 6; $i++) { echo "<"; debug_print_backtrace(); yield $i; } return "sh"; }
function viag($g) { $r = yield from $g; yield "done $r"; }
$s = shared(); $a = viag($s); $b = viag($s);
foreach ($a as $v) { echo "a$v\n"; if ($v === 1) { $s->next(); foreach ($b as $w) { echo "b$w\n"; if ($w == 3) break; } } }
try { foreach ($b as $w) { echo "B$w\n"; } 
} catch (Exception $e) { echo $e->getMessage(), "\n"; }
function endless($n) { yield $n; yield from endless($n + 1); } foreach (endless(0) as $v) { if ($v >= 20000) break; } echo "$v\n";
function del($d) { if ($d) { try { yield from del($d - 1); } finally { echo "f$d "; } } else { yield 1; yield 2; } } foreach (del(5) as $v) { echo $v; break; } echo "\n";
$fb = new Fiber(function () { foreach (del2(3) as $v) { echo "fv$v "; } }); function del2($d) { if ($d) { yield from del2($d - 1); Fiber::suspend($d); } else { yield 1; Fiber::suspend("in"); yield 2; } }
var_dump($fb->start()); while (!$fb->isTerminated()) { var_dump($fb->resume()); }

