<?php
// Arguments in traces: floats by `precision`, scalars of builtins as they were given, strings as they were converted.
function f(...$all) { throw new Exception('f'); }
foreach ([
    fn() => f(1.0, 2.5e100, 1e15, -0.0, INF, NAN, M_PI, 0.1 + 0.2),
    fn() => intdiv("5", false),
    fn() => intdiv(5.0, "0"),
    fn() => array_fill(0, "-1", 0),
    fn() => str_repeat(5, -1),
    fn() => array_flip(3.14159265358979),
    fn() => round("5", []),
] as $call) {
    try {
        $call();
    } catch (Throwable $t) {
        echo $t->getMessage(), "\n", strtok($t->getTraceAsString(), "\n"), "\n";
    }
}
function v($x, ...$rest) {}
try { v(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { echo match (1e100 / 3) { 1 => 2 }; } catch (Error $e) { echo $e->getMessage(), "\n"; }
abstract class A { abstract function m(); }
try { A::m(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { array_walk($e, [0 => 1, 'x' => 2]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
function closure() { return function () use (&$x) { static $y = 1; }; }
ob_start();
var_dump(closure());
echo preg_replace('/string\(\d+\) "(?=.*trace_arguments_shown)/', 'string(%d) "', ob_get_clean());
