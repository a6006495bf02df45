<?php
// What may be passed by reference without being a variable, known function or not.
set_error_handler(function ($level, $message) { echo "[$message] "; return true; });
function known(&$x) { var_dump($x); $x = 'changed'; }
class Holder { public $p = 1; static $s = 1; }
const LIST_OF = ['first'];
function test(string $what, Closure $test) {
    echo $what, ': ';
    try {
        $test();
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
foreach (['known', 'unknown'] as $f) {
    test('new', fn() => $f(new stdClass));
    test('assign', fn() => $f($a = 1));
    test('assign by reference', function () use ($f) { $b = 2; $f($a = &$b); var_dump($a, $b); });
    test('list by reference', function () use ($f) { $list = [1]; $f([&$v] = $list); var_dump($list); });
    test('element of constant', fn() => $f(LIST_OF[0]));
    test('property of new', fn() => $f((new Holder)->p));
    test('increment', function () use ($f) { $i = 1; $f(++$i); });
    test('eval', fn() => $f(eval('return 7;')));
    test('folded', fn() => $f(strlen('four')));
    test('call', fn() => $f(strtoupper('call')));
}
function unknown(&$x) { var_dump($x); $x = 'changed'; }
test('array of $this', function () { $a = [&$this]; var_dump($a); });
function named($a = null, $b = null, ...$rest) { var_dump($a, $b, $rest); }
named(...(function () { yield '7' => 'one'; yield '8' => 'two'; yield '9' => 'three'; yield 'x' => 'four'; })());
