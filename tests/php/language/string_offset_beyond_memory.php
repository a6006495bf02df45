<?php
$s = 'abc';
$s[70] = 'x'; $s[300] = 'y'; $s[5000] = 'z';
echo strlen($s), ' ', md5($s), "\n";
for ($i = 0; $i < 3000; $i++) { $s[strlen($s)] = chr($i % 256); }
echo strlen($s), ' ', md5($s), "\n";
$s[2147483647] = 'x';
