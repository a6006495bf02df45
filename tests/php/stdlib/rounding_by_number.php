<?php
// round by the numbers of modes that have no constants, and floats that lie between two shortest texts.
foreach ([5,6,7,8] as $m) { foreach ([2.44, 2.46, -2.44, -2.46, 2.4, 0.0] as $x) echo round($x, 1, $m), ' '; echo "\n"; }
function t($f) { try { var_dump($f()); } catch (Error $e) { echo get_class($e), $e->getMessage(), ' on line ', $e->getLine(), "\n"; } }
t(fn() => round(25, -1, 9));
function t1($f) { try { var_dump($f()); } catch (Error $e) { echo get_class($e), $e->getMessage(), ' on line ', $e->getLine(), "\n"; } }
t1(fn() => round(2, 5, 5)); t1(fn() => round(2, -1, 5)); t1(fn() => round(2.5, 5, 5)); t1(fn() => round(2.5, 1, 50)); t1(fn() => round(2, 1, 8)); t1(fn() => round(2, 1, 0)); t1(fn() => round(2, 1, -9));t1(fn() => round(INF, 1, -9));t1(fn() => round(0.0, 1, -9));t1(fn() => round(2, -1, -9));
t1(fn() => round("2", 1, 77)); t1(fn() => round(0, -1, 77));
var_dump(2**-24, (2/-128)**4, 5.9604644775390625E-8, 2**-23, 2**-25, 2**-44, 1.5/2**40, 0.5**29, 2.0**60, 9007199254740993.0, 5e-324, 2**-1074, 1/3, 2**-1022);
for ($i = 0; $i < 300; $i++) { $x = 2 ** -$i; echo $x, ' ', serialize($x), json_encode($x), ' '; } 
for ($i = 0; $i < 300; $i++) { $x = 2.0 ** $i; echo $x, ' ', serialize($x), json_encode($x), ' '; } 
for ($i = 0; $i < 300; $i++) { $x = 3.0 ** $i * 2 ** -$i; echo $x, ' ', serialize($x), json_encode($x), ' '; } 
for ($i = 0; $i < 300; $i++) { $x = 5.0 ** $i * 2 ** -$i;  echo  $x, ' ', serialize($x), json_encode($x), ' '; } 
