<?php
// SPL's containers changed by the code that they call, and iterators that move while they are used.

function attempt(string $what, callable $f): void
{
    try {
        echo $what, ': ', json_encode($f()), "\n";
    } catch (Throwable $e) {
        echo $what, ': ', $e::class, ': ', $e->getMessage(), "\n";
    }
}

$object = new ArrayObject([3, 1, 2]);
attempt('write while sorting', fn() => $object->uasort(function ($a, $b) use ($object) {
    $object[] = 4;
    return $a <=> $b;
}));
attempt('exchange while sorting', fn() => $object->uasort(function ($a, $b) use ($object) {
    $object->exchangeArray([]);
    return $a <=> $b;
}));
attempt('elements', fn() => $object->getArrayCopy());

$iterator = new ArrayIterator(range(0, 9));
$seen = [];
foreach ($iterator as $key => $value) {
    $seen[] = $value;
    if ($value === 2) {
        unset($iterator[3], $iterator[4]);
        for ($i = 10; $i < 40; $i++) {
            $iterator[] = $i;
        }
    }
    if ($value === 20) {
        $iterator->seek(count($iterator) - 1);
    }
}
attempt('array iterator', fn() => $seen);

$heap = new class extends SplHeap {
    public ?Closure $hook = null;
    protected function compare(mixed $a, mixed $b): int
    {
        if ($this->hook) {
            ($this->hook)();
        }
        return $a <=> $b;
    }
};
foreach ([5, 3, 8] as $n) {
    $heap->insert($n);
}
$heap->hook = fn() => $heap->insert(1);
attempt('insert in compare', fn() => $heap->insert(9));
$heap->hook = null;
attempt('corrupted', fn() => $heap->isCorrupted());
attempt('use corrupted', fn() => $heap->extract());
$heap->recoverFromCorruption();
attempt('count', fn() => count($heap));

$queue = new SplQueue();
$queue[] = 'a';
$queue[] = 'b';
$out = [];
foreach ($queue as $n => $item) {
    $out[] = "$n$item";
    if (count($queue) < 5) {
        $queue[] = $item . $n;
    }
}
attempt('queue grows', fn() => $out);

$storage = new SplObjectStorage();
$objects = [];
for ($i = 0; $i < 5; $i++) {
    $objects[$i] = (object)['n' => $i];
    $storage[$objects[$i]] = $i;
}
$out = [];
foreach ($storage as $i => $o) {
    $out[] = $o->n;
    // Detaching starts the iteration again.
    if ($o->n === 1 && count($out) < 3) {
        $storage->offsetUnset($objects[2]);
    }
}
attempt('storage shrinks', fn() => $out);

$inner = new ArrayIterator(['x', 'y', 'z']);
$filter = new CallbackFilterIterator($inner, function ($v, $k, $it) use ($inner) {
    if ($v === 'y') {
        $inner['w'] = 'w';
    }
    return $v !== 'y';
});
attempt('filter', fn() => iterator_to_array($filter));

class Restless extends RecursiveIteratorIterator
{
    public array $log = [];
    public function beginChildren(): void
    {
        $this->log[] = 'begin' . $this->getDepth();
    }
    public function endChildren(): void
    {
        $this->log[] = 'end' . $this->getDepth();
    }
    public function callHasChildren(): bool
    {
        if (parent::callHasChildren() && $this->getDepth() === 1) {
            throw new DomainException('too deep');
        }
        return parent::callHasChildren();
    }
}
$tree = new Restless(new RecursiveArrayIterator([1, [2, [3]], 4]));
attempt('tree', function () use ($tree) {
    foreach ($tree as $leaf) {
        $tree->log[] = $leaf;
    }
});
attempt('tree log', fn() => $tree->log);

// A cycle through every container is collected.
class Watched
{
    public array $held = [];
    public function __destruct()
    {
        echo "destroyed\n";
    }
}
$w = new Watched();
$w->held = [new ArrayObject([$w]), new SplObjectStorage(), new SplStack(), new SplFixedArray(1), new SplPriorityQueue(), new IteratorIterator(new ArrayIterator([$w]))];
$w->held[1][$w] = $w;
$w->held[2][] = $w;
$w->held[3][0] = $w;
$w->held[4]->insert($w, 1);
$w->held[5]->rewind();
unset($w);
gc_collect_cycles();
echo "end\n";
