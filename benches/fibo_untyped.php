<?php
// Recursive calls without type declarations.
function fibo($n)
{
    if ($n < 2) {
        return 1;
    }
    return fibo($n - 2) + fibo($n - 1);
}
echo fibo(31), "\n";
