<?php
// declare(ticks), register_tick_function, declare blocks.
function tick($x = '-') { echo "[$x]"; }
register_tick_function('tick', 't');
declare(ticks=1) { $a = 1; $b = 2; echo 'x'; }
echo "\noutside\n";
declare(ticks=2);
$c = 1; $d = 2; $e = 3; echo 'y';
for ($i = 0; $i < 2; $i++) { echo $i; }
unregister_tick_function('tick');
$z = 1; echo "\nquiet\n";
register_tick_function(function () { static $n = 0; if (++$n === 2) throw new Exception("tick $n"); });
try { $q = 1; $q = 2; $q = 3; $q = 4; $q = 5; } catch (Exception $e) { echo $e->getMessage(), "\n"; }
