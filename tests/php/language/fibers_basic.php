<?php
// Start, suspend, resume, throw, return, states and errors.
$f = new Fiber(function (int $x, ...$rest) {
    echo "start $x ", json_encode($rest), "\n";
    $y = Fiber::suspend('first');
    echo "resumed with $y\n";
    try { $z = Fiber::suspend('second'); } catch (Exception $e) { echo 'caught ', $e->getMessage(), "\n"; $z = 'after'; }
    return "done $z";
});
var_dump($f->isStarted());
var_dump($f->start(1, 2, 3), $f->isSuspended(), $f->resume('Y'), $f->throw(new Exception('T')), $f->isTerminated(), $f->getReturn());
foreach ([
    fn() => $f->resume(), fn() => $f->start(), fn() => (new Fiber(fn() => 1))->resume(), fn() => (new Fiber(fn() => 1))->getReturn(),
    fn() => Fiber::suspend(1), fn() => (new Fiber('nofunc')), fn() => (function () { $g = new Fiber(fn() => throw new LogicException('inside')); $g->start(); })(),
    function () { $g = new Fiber(fn() => throw new LogicException('x')); try { $g->start(); } catch (LogicException) {} return $g->getReturn(); },
    function () { $g = new Fiber(fn() => Fiber::suspend(1)); $g->start(); return $g->getReturn(); },
    function () { $g = new Fiber(function () use (&$g) { $g->start(); }); $g->start(); },
    function () { $g = new Fiber(function () use (&$g) { $g->resume(); }); $g->start(); },
    fn() => clone new Fiber(fn() => 1), fn() => Fiber::getCurrent(),
] as $i => $t) try { echo $i, ' '; var_dump($t()); } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
$g = new Fiber(function () { var_dump(Fiber::getCurrent() instanceof Fiber, Fiber::getCurrent()->isRunning()); }); $g->start();
function deep($n) { return $n ? deep($n - 1) : Fiber::suspend('deep'); }
$d = new Fiber(fn() => deep(50)); echo $d->start(), ' '; $d->resume('up'); echo $d->getReturn(), "\n";
$nest = new Fiber(function () { $in = new Fiber(function () { echo 'in1 '; Fiber::suspend('inner'); echo 'in2 '; return 'inret'; }); echo $in->start(), ' '; $x = Fiber::suspend('outer'); $in->resume(); echo $in->getReturn(), $x, "\n"; });
echo $nest->start(), ' '; $nest->resume('X');
function gen() { $x = yield Fiber::suspend('from gen'); echo "gen got $x\n"; yield 'last'; }
$fg = new Fiber(function () { $g = gen(); foreach ($g as $v) { echo "v=$v "; $g->send('S'); } }); echo $fg->start(), ' '; $fg->resume('R'); 
$fibers = []; foreach (['A', 'B', 'C'] as $n) { $fibers[$n] = new Fiber(function () use ($n) { for ($i = 0; $i < 3; $i++) { echo $n, $i, ' '; Fiber::suspend(); } }); $fibers[$n]->start(); }
while ($fibers) foreach ($fibers as $k => $fb) { $fb->resume(); if ($fb->isTerminated()) unset($fibers[$k]); } echo "\n";
$m = new Fiber(function () { echo implode(',', array_map(fn($x) => Fiber::suspend($x) * 2, [1, 2, 3])), "\n"; }); $v = $m->start(); while (!$m->isTerminated()) $v = $m->resume($v * 10);
$u = new Fiber(function () { usort($GLOBALS['arr'], function ($a, $b) { Fiber::suspend(); return $a <=> $b; }); echo json_encode($GLOBALS['arr']), "\n"; }); $arr = [3, 1, 2]; $u->start(); while (!$u->isTerminated()) $u->resume();
