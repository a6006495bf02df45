<?php
// Recursive calls with integer arithmetic.
function fibo(int $n): int
{
    return $n < 2 ? $n : fibo($n - 1) + fibo($n - 2);
}
echo fibo(32), "\n";
