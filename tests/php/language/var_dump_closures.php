<?php
// How var_dump and print_r show closures, generators and fibers. Lengths of strings with the path are masked.
ob_start(fn($b) => preg_replace('~string\(\d+\) ("[^"]*' . preg_quote(__DIR__) . ')~', 'string(N) $1', $b));
class C {
    public $p = 1;
    function m(int $a, &$b = 5, ...$c): int { return 1; }
    function make($x) { return function () use ($x) { return $this->p; }; }
    static function s() { return static fn() => 1; }
    function gen() { yield 1; }
}
function f($x) { static $n = 3; }
$y = [1];
var_dump(fn() => 1, function (int $a, &$b = 5, ...$c) use (&$y) { static $s = 'v'; });
var_dump((new C)->make('captured'), C::s(), strlen(...), f(...), (new C)->m(...), C::s(...));
var_dump((new C)->gen(), new Fiber(fn() => 1));
print_r(fn($q) => $q + $y[0]);
print_r(Closure::fromCallable('str_replace'));
debug_zval(fn() => 1);
function debug_zval(Closure $c) { var_dump((array) $c, (bool) $c, $c == clone $c, get_object_vars($c), count((array) $c)); }
var_export((fn() => 1) instanceof Closure);
echo "\n", json_encode(fn() => 1), "\n";
