<?php
// A variable that is int for a long time and then float, string, null, array, object.
function sum(array $xs) { $s = 0; foreach ($xs as $x) $s += $x; return $s; }
function cat(array $xs) { $s = ''; foreach ($xs as $x) $s .= $x; return $s; }
function cmp(array $xs) { $c = 0; $prev = null; foreach ($xs as $x) { if ($x == $prev) $c++; if ($x < 50) $c += 2; if ($x === 7) $c += 1000; $prev = $x; } return $c; }
function idx(array $xs, array $map) { $s = 0; foreach ($xs as $x) $s += $map[$x] ?? -1; return $s; }
function truthy(array $xs) { $c = 0; foreach ($xs as $x) { if ($x) $c++; if (!$x) $c += 100; $c += $x ? 1 : 2; } return $c; }
$ints = range(1, 2000);
foreach ([[], [1.5], ['3'], ['4.5'], [true], [null], [false], [2.5, '10', 3], [PHP_INT_MAX, 1], ['0'], [0.0], ['']] as $tail) {
    $xs = [...$ints, ...$tail];
    echo json_encode($tail), ' ';
    try { var_dump(sum($xs)); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
    var_dump(strlen(cat($xs)), cmp($xs), @idx($xs, ['1' => 5, '' => 9, 2 => 7, 10 => 1]), truthy($xs));
}
foreach ([[[1]], [new stdClass], ['abc'], ['5 apples']] as $tail) try { var_dump(@sum([...$ints, ...$tail])); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
set_error_handler(function ($n, $m) { echo "<$m> "; return true; });
var_dump(sum([...$ints, '7 dwarfs']), cat([...$ints, [1]]) !== '');
function poly($x) { return match (true) { is_int($x) => $x + 1, is_float($x) => $x * 2, is_string($x) => strlen($x), is_array($x) => count($x), is_null($x) => -1, is_bool($x) => (int) $x, default => spl_object_id($x) * 0 }; }
$t = 0; for ($i = 0; $i < 6000; $i++) { $v = $i < 2000 ? $i : [$i, $i / 2, "s$i", [1, 2], null, true, new stdClass][$i % 7]; $t += poly($v); } var_dump($t);
