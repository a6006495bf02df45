<?php
// Generators that delegate to each other: run through, dropped in the middle with finally blocks, thrown into, collected.
// options: -d memory_limit=1G
// expect: 200
// body: 12 ok 12 ok x ok ok
function outer($inner) { yield from $inner; }
function numbers() { yield 1; yield 2; }
function deep($n) { try { if ($n === 0) { yield 1; yield 2; return; } yield from deep($n - 1); } finally { static $n = 0; $n++; } }
function chain($n = 100000) { $generator = numbers(); for ($i = 0; $i < $n; $i++) { $generator = outer($generator); } return $generator; }
foreach (chain() as $x) echo $x;
echo ' ok ';
foreach (deep(100000) as $x) echo $x;
$generator = deep(100000);
$generator->current();
unset($generator);
echo ' ok ';
$generator = chain();
$generator->current();
try { $generator->throw(new Exception('x')); } catch (Exception $e) { echo $e->getMessage(); }
$generator = deep(100000);
$generator->current();
$cycle = [$generator];
$cycle[] = &$cycle;
unset($generator, $cycle);
gc_collect_cycles();
echo ' ok ';
$left = deep(100000);
$left->current();
echo 'ok';
