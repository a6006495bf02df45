<?php
// Array builtins without callbacks: merge, slice, search, flip, diff, intersect, combine, unique.
$a = range(0, 999);
$k = array_map(fn($x) => "k$x", $a);
$sum = 0;
for ($r = 0; $r < 550; $r++) {
    $m = array_merge($a, array_slice($a, $r % 500, 100));
    $c = array_combine($k, $a);
    $sum += count(array_unique($m)) + count(array_flip($m)) + array_search(999, $a, true);
    $sum += count(array_intersect_key($c, array_flip(array_slice($k, 0, 300)))) + count(array_diff_key($c, ['k1' => 1, 'k5' => 1]));
    $sum += array_sum(array_reverse($m)) + in_array("$r", $a) + max($m) + count(array_keys($c)) + count(array_values($c));
    $sum += count(array_chunk($a, 7)) + count(array_fill_keys($k, 0)) + (array_key_last($c) <=> "k");
}
echo $sum, "\n";
