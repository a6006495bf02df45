<?php
// Packed array of booleans, written and read by index.
function sieve(int $n): int
{
    $flags = array_fill(0, $n + 1, true);
    for ($i = 2; $i * $i <= $n; $i++) {
        if ($flags[$i]) {
            for ($k = $i * $i; $k <= $n; $k += $i) {
                $flags[$k] = false;
            }
        }
    }
    $count = 0;
    for ($i = 2; $i <= $n; $i++) {
        if ($flags[$i]) {
            $count++;
        }
    }
    return $count;
}
echo sieve(500000) + sieve(1500000) + sieve(600000), "\n";
