<?php
// An integer that overflows to float late in a hot loop, for each operator.
function add($n, $start) { $x = $start; for ($i = 0; $i < $n; $i++) $x = $x + 1; return $x; }
function addAssign($n, $x) { for ($i = 0; $i < $n; $i++) $x += 3; return $x; }
function inc($n, $x) { for ($i = 0; $i < $n; $i++) $x++; return $x; }
function preInc($n, $x) { for ($i = 0; $i < $n; $i++) $y = ++$x; return [$x, $y]; }
function dec($n, $x) { for ($i = 0; $i < $n; $i++) --$x; return $x; }
function sub($n, $x) { for ($i = 0; $i < $n; $i++) $x = $x - 7; return $x; }
function mul($n, $x) { for ($i = 0; $i < $n; $i++) $x = $x * 2; return $x; }
function neg($n) { $x = PHP_INT_MIN + $n; for ($i = 0; $i <= $n; $i++) { $y = -$x; $x--; } return [$x, $y]; }
function typed(int $n, int $x): int|float { for ($i = 0; $i < $n; $i++) $x += 1; return $x; }
foreach ([10, 3000] as $n) {
    var_dump(add($n, 0), add($n, PHP_INT_MAX - 5), addAssign($n, PHP_INT_MAX - 3000), inc($n, PHP_INT_MAX - 9), preInc($n, PHP_INT_MAX - 9), dec($n, PHP_INT_MIN + 2), sub($n, PHP_INT_MIN + 100), mul(min($n, 70), 3), neg($n), typed($n, PHP_INT_MAX - 2000));
}
$sum = 0;
for ($i = 0; $i < 5000; $i++) { $sum += $i << 50; }
var_dump($sum);
for ($i = 0, $f = 1; $i < 200; $i++) $f *= ($i % 9) + 1;
var_dump($f);
for ($i = PHP_INT_MAX - 2500, $c = 0; is_int($i); $i++) $c++;
var_dump($i, $c);
