<?php
// A cooperative scheduler on fibers: tasks, timers in virtual time, channels, cancellation.
final class Loop
{
    private array $ready = []; private SplPriorityQueue $timers; private int $seq = 0; public int $now = 0; private WeakMap $waiters;
    public function __construct() { $this->timers = new SplPriorityQueue; $this->waiters = new WeakMap; }
    public function spawn(Closure $f, mixed ...$a): Fiber { $fb = new Fiber($f); $this->ready[] = fn() => $this->run($fb, 'start', $a); return $fb; }
    private function run(Fiber $f, string $how, array $args): void { $cmd = $f->$how(...$args); if ($f->isTerminated()) { foreach ($this->waiters[$f] ?? [] as $w) $this->ready[] = fn() => $this->run($w, 'resume', [$f->getReturn()]); return; } $cmd($f); }
    public function sleep(int $ms): void { Fiber::suspend(fn(Fiber $f) => $this->timers->insert(fn() => $this->run($f, 'resume', [null]), [-($this->now + $ms), -$this->seq++])); $this->timers->setExtractFlags(SplPriorityQueue::EXTR_BOTH); }
    public function await(Fiber $t): mixed { return $t->isTerminated() ? $t->getReturn() : Fiber::suspend(function (Fiber $f) use ($t) { $l = $this->waiters[$t] ?? []; $l[] = $f; $this->waiters[$t] = $l; }); }
    public function later(Fiber $f, mixed $v, string $how = 'resume'): void { $this->ready[] = fn() => $this->run($f, $how, [$v]); }
    public function go(): void { $this->timers->setExtractFlags(SplPriorityQueue::EXTR_BOTH); while ($this->ready || count($this->timers)) { if ($this->ready) { array_shift($this->ready)(); continue; } ['data' => $d, 'priority' => $p] = $this->timers->extract(); $this->now = -$p[0]; $d(); } }
}
final class Channel { private array $buf = []; private array $recv = []; private array $send = []; public bool $closed = false; public function __construct(private Loop $l, private int $cap = 0) {} public function put(mixed $v): void { if ($this->recv) { $this->l->later(array_shift($this->recv), $v); return; } if (count($this->buf) < $this->cap) { $this->buf[] = $v; return; } Fiber::suspend(fn($f) => $this->send[] = [$f, $v]); } public function take(): mixed { if ($this->buf) { $v = array_shift($this->buf); if ($this->send) { [$f, $w] = array_shift($this->send); $this->buf[] = $w; $this->l->later($f, null); } return $v; } if ($this->send) { [$f, $v] = array_shift($this->send); $this->l->later($f, null); return $v; } return $this->closed ? null : Fiber::suspend(fn($f) => $this->recv[] = $f); } public function close(): void { $this->closed = true; foreach ($this->recv as $f) $this->l->later($f, null); $this->recv = []; } public function each(): Generator { while (($v = $this->take()) !== null) yield $v; } }
$l = new Loop; $log = function (string $s) use ($l) { echo str_pad($l->now, 4, ' ', STR_PAD_LEFT), ' ', $s, "\n"; };
foreach ([['A', 30], ['B', 10], ['C', 20]] as [$n, $ms]) $l->spawn(function () use ($n, $ms, $l, $log) { for ($i = 1; $i <= 3; $i++) { $l->sleep($ms); $log("$n$i"); } });
$slow = $l->spawn(function (int $x) use ($l) { $l->sleep(45); return $x * 2; }, 21); $l->spawn(function () use ($l, $slow, $log) { $log('awaiting'); $log('result ' . $l->await($slow)); $log('again ' . $l->await($slow)); });
$ch = new Channel($l, 1); $l->spawn(function () use ($ch, $l, $log) { foreach (range(1, 4) as $i) { $ch->put($i); $log("put $i"); $l->sleep(5); } $ch->close(); }); $l->spawn(function () use ($ch, $l, $log) { foreach ($ch->each() as $v) { $log("got $v"); $l->sleep(12); } $log('channel closed'); });
$victim = $l->spawn(function () use ($l, $log) { try { Fiber::suspend(fn() => null); } catch (RuntimeException $e) { $log('cancelled: ' . $e->getMessage()); } finally { $log('cleanup'); } }); $l->spawn(function () use ($l, $victim) { $l->sleep(33); $l->later($victim, new RuntimeException('timeout'), 'throw'); });
$l->go(); echo 'finished at ', $l->now, "\n";
