<?php
// Recursive quicksort with array copies and array_merge.
function qs(array $a): array
{
    if (count($a) < 2) {
        return $a;
    }
    $p = array_shift($a);
    $l = $r = [];
    foreach ($a as $v) {
        if ($v < $p) {
            $l[] = $v;
        } else {
            $r[] = $v;
        }
    }
    return array_merge(qs($l), [$p], qs($r));
}
$seed = 1;
$data = [];
for ($i = 0; $i < 30000; $i++) {
    $data[] = $seed = ($seed * 16807) % 2147483647;
}
$x = 0;
for ($i = 0; $i < 6; $i++) {
    $s = qs($data);
    $x ^= $s[$i * 100];
}
echo $x, "\n";
