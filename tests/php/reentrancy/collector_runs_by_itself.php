<?php
// Garbage cycles are collected without being asked for, wherever the program is: in loops, calls, generators and fibers.
class Node
{
    public static int $destroyed = 0;
    public ?Node $other = null;
    public array $more = [];
    public function __destruct() { self::$destroyed++; }
}

function pair(): void
{
    $a = new Node;
    $b = new Node;
    $a->other = $b;
    $b->other = $a;
    $a->more[] = &$b->more;
}

function bounded(string $where): void
{
    echo $where, ': ', Node::$destroyed > 10000 ? 'collected' : 'kept ' . Node::$destroyed, ', ', memory_get_usage() < 30000000 ? 'bounded' : 'grows', "\n";
    Node::$destroyed = 0;
}

for ($i = 0; $i < 20000; $i++) {
    pair();
}
bounded('loop');

function recurse(int $n): int
{
    pair();
    return $n === 0 ? 0 : recurse(intdiv($n, 2)) + recurse(intdiv($n - 1, 2));
}
recurse(16000);
bounded('calls');

function generator()
{
    for ($i = 0; $i < 20000; $i++) {
        pair();
        if ($i % 1000 === 0) {
            yield $i;
        }
    }
}
foreach (generator() as $_) {
}
bounded('generator');

$fiber = new Fiber(function () {
    array_map(function () { pair(); }, range(1, 20000));
    Fiber::suspend();
});
$fiber->start();
bounded('callbacks in a fiber');

// A destructor that makes new garbage does not keep the collector busy for ever.
class Phoenix
{
    public static int $born = 0;
    public $self;
    public function __construct() { $this->self = $this; self::$born++; }
    public function __destruct() { if (self::$born < 100) { new Phoenix; } }
}
new Phoenix;
gc_collect_cycles();
echo 'phoenix: ', Phoenix::$born < 10 ? 'a few' : 'many', "\n";

gc_disable();
$before = gc_status()['runs'];
for ($i = 0; $i < 20000; $i++) {
    pair();
}
echo 'disabled: ', gc_status()['runs'] - $before, " runs\n";
Phoenix::$born = 1000;
