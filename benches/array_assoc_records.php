<?php
// Small literal-key arrays as records: build, copy, change, iterate.
$rows = [];
for ($i = 0; $i < 20000; $i++) {
    $rows[] = ['id' => $i, 'name' => "user $i", 'age' => 20 + $i % 50, 'tags' => ['a', 'b'], 'active' => ($i & 1) === 0];
}
$sum = 0;
for ($r = 0; $r < 36; $r++) {
    foreach ($rows as $row) {
        if ($row['active'] && $row['age'] > 30) {
            $copy = $row;
            $copy['age'] += $r;
            $sum += $copy['age'] + count($copy['tags']);
        }
        ['id' => $id, 'name' => $name] = $row;
        $sum += $id & 1 ? strlen($name) : 0;
    }
}
echo $sum, "\n";
