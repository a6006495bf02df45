<?php
// Variadic parameters by reference convert the caller's variables.
function f(int &...$y) { foreach ($y as &$v) $v++; }
$a = 1.0; $b = '7'; $c = true;
f($a, $b, $c);
var_dump($a, $b, $c);
try { $x = 'a'; f($x); } catch (TypeError $e) { echo preg_replace('/, called.*/', '', $e->getMessage()), "\n"; }
try { f($undefined); } catch (TypeError $e) { echo preg_replace('/, called.*/', '', $e->getMessage()), "\n"; }
$list = ['1', '2'];
f(...$list);
var_dump($list);
function g(?float &...$y) {}
$i = 1; $n = null;
g($i, named: $n);
var_dump($i, $n);
