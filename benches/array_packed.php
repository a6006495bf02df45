<?php
// Appending to and reading from packed arrays, nested rows.
$total = 0;
for ($r = 0; $r < 45; $r++) {
    $a = [];
    for ($i = 0; $i < 50000; $i++) {
        $a[] = $i * 3;
    }
    $n = count($a);
    for ($i = 0; $i < $n; $i++) {
        $total += $a[$i] & 15;
    }
    foreach ($a as $k => $v) {
        $total += $k ^ $v;
    }
    $m = [];
    for ($y = 0; $y < 60; $y++) {
        for ($x = 0; $x < 60; $x++) {
            $m[$y][$x] = $x ^ $y;
        }
    }
    $total += $m[59][3] + count($m, COUNT_RECURSIVE);
}
echo $total, "\n";
