<?php
// preg_match, preg_replace_callback, preg_split, preg_match_all on text and routes.
$log = '';
for ($i = 0; $i < 400; $i++) {
    $log .= "192.168.1.$i - [2024-01-" . ($i % 28 + 1) . "] \"GET /user/$i/posts?page=" . ($i % 7) . " HTTP/1.1\" 200 " . ($i * 37) . "\n";
}
$sum = 0;
for ($r = 0; $r < 160; $r++) {
    $sum += preg_match_all('~^(\S+) - \[([^\]]+)\] "(\w+) (/\S*) HTTP/[\d.]+" (\d+) (\d+)$~m', $log, $m, PREG_SET_ORDER);
    $sum += array_sum(array_column($m, 6));
    $out = preg_replace_callback('/page=(\d)/', fn(array $m): string => 'p' . ($m[1] + 1), $log);
    $sum += strlen($out) + count(preg_split('/[\s,"]+/', $log));
    for ($i = 0; $i < 800; $i++) {
        if (preg_match('#^/user/(?<id>\d+)/posts$#', "/user/$i/posts", $mm)) {
            $sum += (int) $mm['id'];
        }
    }
    $sum += strlen(preg_replace('/\d+/', '#', $log));
}
echo $sum, "\n";
