<?php
// The numbers of objects that iterations give back when they end, or are left.
function g($n) { try { yield 1; yield 2; } finally { if ($n) echo "fin "; } yield 3; yield 4; }
foreach ([0, 1] as $n) foreach ([1, 2, 3] as $stop) {
    foreach (g($n) as $v) { if ($v == $stop) break; }
    $d = (function () { yield 1; })(); echo spl_object_id($d), ' '; $e = new stdClass; echo spl_object_id($e), "\n"; unset($d, $e);
    foreach ((function () use ($n) { yield from g($n); })() as $v) { if ($v == $stop) break; }
    $d = (function () { yield 1; })(); echo spl_object_id($d), ' '; $e = new stdClass; echo spl_object_id($e), "\n"; unset($d, $e);
}
class D { function __destruct() { echo "D "; } }
class It extends ArrayIterator { function __destruct() { echo "It "; } }
foreach (new It([1, 2]) as $v) { if ($v == 2) break; }
$d = new stdClass; $e = new stdClass; echo spl_object_id($d), ' ', spl_object_id($e), "\n"; unset($d, $e);
foreach (new It([new D, 2]) as $v) { }
$d = new stdClass; $e = new stdClass; echo spl_object_id($d), ' ', spl_object_id($e), "\n"; unset($d, $e);
