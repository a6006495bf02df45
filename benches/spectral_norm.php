<?php
// Floats in packed arrays and small functions.
function a(int $i, int $j): float
{
    return 1.0 / ((($i + $j) * ($i + $j + 1) >> 1) + $i + 1);
}
function av(array $v, int $n, bool $t): array
{
    $r = [];
    for ($i = 0; $i < $n; $i++) {
        $s = 0.0;
        for ($j = 0; $j < $n; $j++) {
            $s += ($t ? a($j, $i) : a($i, $j)) * $v[$j];
        }
        $r[] = $s;
    }
    return $r;
}
$n = 170;
$u = array_fill(0, $n, 1.0);
for ($i = 0; $i < 8; $i++) {
    $v = av(av($u, $n, false), $n, true);
    $u = av(av($v, $n, false), $n, true);
}
$vbv = $vv = 0.0;
for ($i = 0; $i < $n; $i++) {
    $vbv += $u[$i] * $v[$i];
    $vv += $v[$i] * $v[$i];
}
printf("%.9f\n", sqrt($vbv / $vv));
