<?php
// json_encode and json_decode of nested data.
$data = [];
for ($i = 0; $i < 300; $i++) {
    $data[] = ['id' => $i, 'name' => "Nâme \"$i\"", 'price' => $i * 1.25, 'tags' => ['x', 'y', "t$i"], 'meta' => ['ok' => true, 'none' => null, 'url' => "https://example.org/$i"]];
}
$sum = 0;
for ($r = 0; $r < 130; $r++) {
    $s = json_encode($data, JSON_UNESCAPED_UNICODE);
    $back = json_decode($s, true);
    $obj = json_decode($s);
    $sum += strlen($s) + count($back) + $obj[$r]->id;
}
echo $sum, "\n";
