<?php
// String keys: insertion, lookup, update, isset, unset.
$words = [];
for ($i = 0; $i < 5000; $i++) {
    $words[] = 'key' . ($i * 7919 % 5003);
}
$sum = 0;
for ($r = 0; $r < 80; $r++) {
    $h = [];
    foreach ($words as $i => $w) {
        $h[$w] = ($h[$w] ?? 0) + $i;
    }
    foreach ($words as $w) {
        if (isset($h[$w . 'x'])) {
            $sum++;
        }
        $sum += $h[$w] & 3;
        $h["$w!"] = 1;
    }
    foreach ($words as $i => $w) {
        if ($i & 1) {
            unset($h[$w]);
        }
    }
    $sum += count($h);
}
echo $sum, "\n";
