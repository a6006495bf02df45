<?php
$a = [];
for ($i = 0, $x = 7; $i < 1_000_000; $i++) $a[] = $x = $x * 69069 % 4294967291;
sort($a);
rsort($a, SORT_STRING);
