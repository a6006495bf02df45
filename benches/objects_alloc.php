<?php
// Allocation and release of small objects, constructor promotion, linked structures, clone.
final class Node
{
    public function __construct(public int $v, public ?Node $l = null, public ?Node $r = null) {}
    public function sum(): int { return $this->v + ($this->l?->sum() ?? 0) + ($this->r?->sum() ?? 0); }
}
function tree(int $d): ?Node
{
    return $d === 0 ? null : new Node($d, tree($d - 1), tree($d - 1));
}
$s = 0;
for ($i = 0; $i < 7; $i++) {
    $s += tree(15)->sum();
}
for ($i = 0; $i < 500000; $i++) {
    $n = new Node($i);
    $m = clone $n;
    $s += $m->v & 1;
}
echo $s, "\n";
