<?php
// Generators that nobody takes, what they delegate to, and when objects that builtins let go of end.
class I implements IteratorAggregate { function __destruct() { echo "destructed\n"; } function getIterator(): Iterator { return new ArrayIterator([1]); } }
class J extends ArrayIterator { function __destruct() { echo "J destructed\n"; } }
function f() { yield from new I; echo "after\n"; yield from new J([1, 2]); echo "after\n"; yield 5; }
foreach (f() as $v) echo $v, "\n";
function g() { yield from (function () { $x = new J([]); yield 1; return 2; })(); echo "after\n"; }
foreach (g() as $v) echo $v, "\n";
function discarded() { (function () { yield 1; })(); }
discarded();
$b = strrev(...);
var_dump($b);
class G { function __construct() { yield 1; } function __destruct() { echo "G destructed\n"; } function m($x) { yield $x; } }
new G;
$g = new G;
$g->m(new G);
echo "after\n";
$kept = array_filter([2, 0], fn() => new G);
class Failing { function __clone() { throw new Exception('no copy'); } }
function copied() { return clone new Failing; }
try { copied(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
