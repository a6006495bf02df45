<?php
// declare(ticks=N): every N statements, once where statements end together; no fiber is left in a tick function.
function tick($x) { echo "[$x]"; } register_tick_function('tick', 't');
declare(ticks=3);
$a = 1; $b = 2; echo 'x'; if ($a) { echo 'y'; echo 'z'; } for ($i = 0; $i < 3; $i++) { echo $i; }
declare(ticks=1) { echo 'every'; try { echo 'try'; } finally { echo 'fin'; } }
unregister_tick_function('tick'); $n = 0; register_tick_function(function () use (&$n) { if (++$n === 2) Fiber::suspend(); });
try { (new Fiber(function () { echo "a\n"; echo "b\n"; echo "c\n"; }))->start(); } catch (FiberError $e) { echo $e->getMessage(), "\n"; }
