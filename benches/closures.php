<?php
// Calling closures and arrow functions, creating them, captured values.
$add = fn(int $x): int => $x + 1;
$acc = 0;
$capture = function (int $x) use (&$acc): void { $acc += $x; };
$make = fn(int $k) => fn(int $x): int => $x * $k;
$s = 0;
for ($i = 0; $i < 900000; $i++) {
    $s += $add($i) & 7;
    $capture($i & 3);
    if (($i & 3) === 0) {
        $s += $make($i & 15)(2);
    }
}
echo $s, ' ', $acc, "\n";
