<?php
$list = range(1, 2000);
$map = [];
$sum = 0;
for ($round = 0; $round < 20; $round++) {
    foreach ($list as $index => $value) {
        $map['key' . ($value % 500)] = ($map['key' . ($value % 500)] ?? 0) + $value;
        $list[$index] = ($value * 7 + 3) % 2003;
    }
    $even = array_filter($list, fn ($v) => $v % 2 === 0);
    $sum += array_sum(array_map(fn ($v) => $v + 1, $even));
    $sum += count(array_unique($list)) + count(array_intersect_key($map, ['key1' => 1, 'key2' => 1]));
    [$first, , $third] = array_slice($list, $round, 3);
    $sum += $first - $third;
    array_push($list, $round);
    array_unshift($list, array_pop($list));
    $merged = [...$list, ...array_values($map)];
    $sum += count($merged) + array_key_last($merged);
}
ksort($map);
echo 'arrays ', $sum, ' ', count($map), ' ', md5(implode(',', $map)), "\n";
