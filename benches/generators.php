<?php
// Generators as pipelines, yield from, send.
function numbers(int $n): Generator { for ($i = 0; $i < $n; $i++) yield $i; }
function filter(iterable $it): Generator { foreach ($it as $v) if ($v % 3) yield $v; }
function map(iterable $it, callable $f): Generator { foreach ($it as $k => $v) yield $k => $f($v); }
function tree(int $d): Generator { if ($d > 0) { yield from tree($d - 1); yield $d; yield from tree($d - 1); } }
function averager(): Generator { $s = 0; while (true) $s += (yield $s) & 7; }
$sum = 0;
foreach (map(filter(numbers(800000)), fn(int $x): int => $x * 2) as $v) {
    $sum += $v;
}
foreach (tree(14) as $v) {
    $sum += $v;
}
$g = averager();
$g->current();
for ($i = 0; $i < 400000; $i++) {
    $sum += $g->send($i) & 1;
}
echo $sum, "\n";
