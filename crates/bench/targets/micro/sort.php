<?php
$seed = 42;
$random = function () use (&$seed): int { $seed = ($seed * 1103515245 + 12345) & 0x7fffffff; return $seed >> 8; };
$numbers = $words = $records = [];
for ($i = 0; $i < 6000; $i++) {
    $numbers[] = $random() % 10000;
    $words["k$i"] = base_convert((string) $random(), 10, 36);
    $records[] = ['id' => $i, 'group' => $random() % 20, 'name' => base_convert((string) $random(), 10, 36)];
}
sort($numbers);
asort($words);
usort($records, fn ($a, $b) => [$a['group'], $a['name']] <=> [$b['group'], $b['name']]);
$descending = $numbers;
rsort($descending);
natsort($words);
array_multisort(array_column($records, 'name'), SORT_DESC, $records);
echo 'sort ', $numbers[3000], ' ', $descending[3000], ' ', array_key_first($words), ' ', $records[17]['id'], ' ', md5(implode($numbers)), "\n";
