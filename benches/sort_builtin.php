<?php
// sort, asort, ksort, usort with a closure, array_multisort, on generated data.
$seed = 7;
$next = function () use (&$seed): int { return $seed = ($seed * 1103515245 + 12345) & 0x7FFFFFFF; };
$ints = $strs = $rows = [];
for ($i = 0; $i < 20000; $i++) {
    $ints[] = $next();
    $strs["k$i"] = 's' . ($next() % 100000);
    $rows[] = ['a' => $next() % 100, 'b' => $next()];
}
$a = $ints;
sort($a);
$b = $strs;
asort($b);
$c = array_flip($strs);
ksort($c);
$d = $rows;
usort($d, fn(array $x, array $y): int => $x['a'] <=> $y['a'] ?: $x['b'] <=> $y['b']);
$e = $ints;
usort($e, fn(int $x, int $y): int => $y <=> $x);
$f = array_column($rows, 'b');
$g = array_column($rows, 'a');
array_multisort($g, SORT_DESC, $f, SORT_ASC);
echo $a[100], ' ', key($b), ' ', key($c), ' ', $d[50]['b'], ' ', $e[3], ' ', $f[10], "\n";
