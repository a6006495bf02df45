<?php
function numbers(int $n) { for ($i = 0; $i < $n; $i++) { yield $i => $i * 2; } }
function squares(iterable $from) { foreach ($from as $k => $v) { yield $k => $v * $v; } }
function both(int $n) { yield from numbers($n); $got = yield from squares(numbers($n)); return $got ?? 'end'; }
$sum = 0;
for ($round = 0; $round < 40; $round++) {
    foreach (both(400) as $key => $value) {
        $sum += $key ^ $value;
    }
    $echo = (function () { $x = 0; while (true) { $x = yield $x + 1; } })();
    for ($i = 0; $i < 300; $i++) {
        $sum += $echo->send($i) ?? 0;
    }
    $sum += iterator_count(squares(numbers(100))) + array_sum(iterator_to_array(numbers(50)));
}
echo 'generators ', $sum, "\n";
