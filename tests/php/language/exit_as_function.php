<?php
// PHP 8.4: exit and die behave like a function: types, named argument, in expressions.
foreach ([[], new stdClass] as $bad) try { exit($bad); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
var_dump(is_callable('exit'), function_exists('exit'), function_exists('die'));
$f = exit(...);
var_dump($f instanceof Closure);
try { array_map('exit', [[1]]); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
register_shutdown_function(fn() => print("shutdown\n"));
$x = false or exit(status: 12);
