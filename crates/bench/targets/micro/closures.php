<?php
$compose = fn (callable ...$f) => fn ($x) => array_reduce($f, fn ($value, $g) => $g($value), $x);
$offset = 3;
$total = 0;
$count = function (int $n) use (&$total, $offset): int { $total += $n; return $n + $offset; };
$chain = $compose($count, fn ($x) => $x * 2, 'abs', strlen(...), $count(...));
$sum = 0;
for ($i = 0; $i < 15000; $i++) {
    $sum += $chain($i);
    $sum += (static fn (int $a, int $b = 5): int => $a <=> $b)($i);
    $sum += call_user_func($count, 1) + call_user_func_array($count, [2]);
}
$numbers = range(1, 5000);
usort($numbers, fn ($a, $b) => $a % 97 <=> $b % 97 ?: $a <=> $b);
echo 'closures ', $sum, ' ', $total, ' ', $numbers[77], "\n";
