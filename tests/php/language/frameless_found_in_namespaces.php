<?php
// "Frameless" functions are found where the namespace has no function of their name, too.
namespace N;
function g() { return ''; }
$n = null;
var_dump(min(g(), null));
var_dump(max(g(), null), max(null, g()), min(null, g()));
var_dump(min(g(), $n));
$x = min(g(), $n); var_dump($x);
var_dump(\min(g(), $n), max(1, 1.0), min(1, 1.0), max(1.0, g() . '1'), min(1.0, g() . '1'));
$x = max(1.0, g() . '1'); var_dump($x); $x =  min(1.0, g() . '1'); var_dump($x);
var_dump(min(...[g(), null]), call_user_func('min', g(), null), \call_user_func('min', g(), null), \call_user_func_array('min', [g(), null]), array_map('min', [g()], [null]));
$f = 'min'; var_dump($f(g(), null)); $f = min(...); var_dump($f(g(), null));
try { implode(5); } catch (\TypeError $e) { echo $e->getMessage(), "\n"; }
try { implode([], 5); } catch (\TypeError $e) { echo $e->getMessage(), "\n"; }
try { \implode([], 5); } catch (\TypeError $e) { echo $e->getMessage(), "\n"; }
try { \join([], 5); } catch (\TypeError $e) { echo $e->getMessage(), "\n"; }
try { join([], 5); } catch (\TypeError $e) { echo $e->getMessage(), "\n"; }
