<?php
// Multiplication of nested arrays.
function mk(int $n): array
{
    $m = [];
    for ($i = 0, $c = 1; $i < $n; $i++) {
        for ($j = 0; $j < $n; $j++) {
            $m[$i][$j] = $c++ % 10;
        }
    }
    return $m;
}
function mul(array $a, array $b, int $n): array
{
    $r = [];
    for ($i = 0; $i < $n; $i++) {
        $row = [];
        $ai = $a[$i];
        for ($j = 0; $j < $n; $j++) {
            $x = 0;
            for ($k = 0; $k < $n; $k++) {
                $x += $ai[$k] * $b[$k][$j];
            }
            $row[] = $x;
        }
        $r[] = $row;
    }
    return $r;
}
$n = 130;
$a = mk($n);
$p = mul($a, mk($n), $n);
for ($i = 0; $i < 3; $i++) {
    $p = mul($a, mk($n), $n);
}
echo $p[0][0], ' ', $p[2][3], ' ', $p[$n - 1][$n - 1], "\n";
