<?php
$data = [];
for ($i = 0; $i < 400; $i++) {
    $data[] = ['id' => $i, 'name' => "Näme $i", 'tags' => ['a', "b$i", null, true], 'price' => $i / 8, 'nested' => ['x' => [1, 2, [3, $i]], 'text' => "line\n\"quoted\" / \\ <$i>"]];
}
$sum = 0;
for ($round = 0; $round < 8; $round++) {
    $text = json_encode($data);
    $back = json_decode($text, true);
    $objects = json_decode($text);
    $pretty = json_encode($objects, JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
    $sum += strlen($text) + strlen($pretty) + count($back) + strlen(serialize($back)) + count(unserialize(serialize($data)));
    $data[$round]['name'] .= $round;
}
echo 'json ', $sum, ' ', md5($pretty), ' ', json_last_error_msg(), "\n";
