<?php
// Operands that the handler overwrites while an operator is converting the other one.
set_error_handler(function ($n, $m) { global $a, $b; echo "[$m] "; $a = 100; $b = 200; return true; });
$a = 3; $b = '5 x'; var_dump($a - $b);
$a = '8 z'; $a += 2; var_dump($a);
$a = '8 z'; $b = 2; $b += $a; var_dump($a, $b);
$a = 1.5; $b = 3; var_dump($a % $b);
$a = 1.5; $a %= 3; var_dump($a);
$a = 1.5; $b = 2; var_dump($a << $b, $a | 1.5);
$a = [1]; $b = 'x'; var_dump($a . $b, $b . $a);
$a = '5 x'; var_dump(-$a); $a = '5 x'; $a++; var_dump($a); $a = null; $b = '5 x'; var_dump($a <=> $b, $undef <=> $a, $undef + $a);
