<?php
// Values that arrays of arguments hand to parameters by reference, by place or by name.
function f($x, &$a, &...$rest) { $a = 1; }
call_user_func_array('str_replace', ['a', 'b', 'c', new stdClass]);
call_user_func_array('str_replace', ['a', 'b', 'c', 'count' => new stdClass]);
$call = 'call_user_func_array';
$call('f', ['x' => 1, 'a' => 5]);
$call('f', [1, 'a' => 5, 'more' => 6]);
$v = 7;
$call('f', [1, 'a' => &$v]);
var_dump($v);
call_user_func('f', 1, a: 5);
