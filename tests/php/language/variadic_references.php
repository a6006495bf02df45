<?php
// A variadic parameter by reference collects references, which are arguments as well.
function f(&...$x) { var_dump($x); }
f($a, $b);
$v = 4;
call_user_func_array('f', [$v, &$v]);
f(...[1, 2]);
f(...[&$v, 2]);
f(q: 1);
function f(&...$x) { var_dump($x); }
f(...[1]);
function g(&...$x) { $y = $x; unset($x); $y[0] = 5; var_dump($y); }
g(...[1]);
call_user_func_array('g', [1]);
$t = [1]; g(...$t); var_dump($t);
function gg() { yield 1; }
f(...gg());
f(...new ArrayIterator([1]));
call_user_func_array('f', $t); var_dump($t);
call_user_func_array('f', [2]);
call_user_func('f', 2);
namespace\f(...[3]);
