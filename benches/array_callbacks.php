<?php
// array_map, array_filter, array_reduce, array_walk, usort, with closures and builtins as callbacks.
$a = range(1, 1000);
$sum = 0;
for ($r = 0; $r < 300; $r++) {
    $b = array_map(fn(int $x): int => $x * 2 + $r, $a);
    $c = array_filter($b, fn(int $x): bool => $x % 3 === 0);
    $sum += array_reduce($c, fn(int $acc, int $x): int => $acc + $x, 0) & 0xFFFF;
    array_walk($b, function (int &$v, int $k): void { $v ^= $k; });
    $d = array_map('strval', array_slice($b, 0, 200));
    $sum += count(array_unique(array_map(null, $d, $d), SORT_REGULAR) ?: []) > 0 ? 1 : 0;
    $sum += array_sum(array_map(intval(...), $d)) & 0xFF;
}
echo $sum, "\n";
