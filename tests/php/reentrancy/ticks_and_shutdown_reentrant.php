<?php
// Tick functions and shutdown functions that register, unregister, throw and change what runs.
declare(ticks=1);
$n = 0;
function t1() { global $n; if (++$n > 12) { static $told = 0; if (!$told++) try { unregister_tick_function('t1'); } catch (Error $e) { echo $e->getMessage(), "\n"; } return; } echo "t$n "; if ($n === 3) register_tick_function('t2', 'arg'); if ($n === 6) unregister_tick_function('t2'); }
function t2($a) { static $c = 0; if ($c++ < 3) echo "[$a] "; }
register_tick_function('t1');
$a = 1; $b = 2; $c = 3;
for ($i = 0; $i < 3; $i++) { $x = $i; }
echo "\n";
register_shutdown_function(function () { echo "s1\n"; register_shutdown_function(function () { echo "s1a\n"; register_shutdown_function(fn() => print("s1aa\n")); }); });
register_shutdown_function(function () { echo "s2\n"; try { throw new Exception('caught here'); } catch (Exception $e) { echo $e->getMessage(), "\n"; } });
class D { function __destruct() { echo "~D registers\n"; register_shutdown_function(fn() => print("too late?\n")); } }
$d = new D;
ob_start(function ($b) { return strtoupper($b); });
register_shutdown_function(function () { echo "in buffer\n"; ob_start(); echo "inner buffer\n"; });
echo "main end\n";
