<?php
// The sequence of comparisons is visible to callbacks: insertion sort for short arrays, hybrid quicksort for longer ones.
require __DIR__ . '/inc/show.php';
foreach ([2, 3, 4, 5, 6, 10, 16] as $n) {
    $a = array_map(fn($i) => $i * 7 % 11, range(1, $n));
    $log = [];
    usort($a, function ($x, $y) use (&$log) { $log[] = "$x:$y"; return $x <=> $y; });
    show("n=$n", implode(' ', $log), implode(',', $a));
}
foreach ([17, 20, 33, 64, 200] as $n) {
    foreach (['scattered' => fn($i) => $i * 37 % 101, 'sorted' => fn($i) => $i, 'reversed' => fn($i) => -$i, 'equal' => fn($i) => 5, 'sawtooth' => fn($i) => $i % 5] as $name => $f) {
        $a = array_map($f, range(1, $n));
        $c = 0;
        $h = '';
        usort($a, function ($x, $y) use (&$c, &$h) { $c++; $h = md5("$h$x,$y"); return $x <=> $y; });
        show("n=$n $name", $c, substr($h, 0, 8), array_is_list($a) && $a === (function ($b) { sort($b); return $b; })($a));
    }
}
$bad = range(1, 30);
usort($bad, fn($x, $y) => ($x * 13 + $y * 7) % 3 - 1);
show('inconsistent comparator', implode(',', $bad));
$t = [];
foreach (range(0, 99) as $i) $t["k$i"] = intdiv($i * 17 % 100, 10);
uasort($t, fn($a, $b) => $a <=> $b);
show('stable', implode(' ', array_map(fn($k) => substr($k, 1), array_keys($t))));
arsort($t);
show('stable reversed', md5(implode(' ', array_keys($t))));
uksort($t, fn($a, $b) => strlen($a) <=> strlen($b));
show('by key length', md5(implode(' ', array_keys($t))));
$m = [];
foreach (range(0, 60) as $i) $m[] = [10, '10', 10.0, '1e1', 'x', null, true, [1]][$i % 8];
sort($m);
show('mixed', $m);
asort($m);
show('mixed keys', array_keys($m));
$s = array_map(fn($i) => ['b', 'a10', 'A9', 'a9', 'B', 'ä', '10', '9'][$i % 8], range(0, 23));
foreach ([SORT_REGULAR, SORT_STRING, SORT_STRING | SORT_FLAG_CASE, SORT_NATURAL, SORT_NATURAL | SORT_FLAG_CASE, SORT_NUMERIC] as $f) { $u = $s; asort($u, $f); show("flag $f", implode(',', array_keys($u))); }
$x = [3, 1, 2]; $y = ['c', 'a', 'b']; $z = [[1], [2], [3]]; array_multisort($x, SORT_DESC, $y, $z); show('multisort', $x, $y, $z);
