<?php
// Named arguments for parameters by reference: variables, results of calls, elements of spread arrays, values.
function f($a = 1, &$b = null, &...$rest) { $b .= '!'; foreach ($rest as &$r) $r .= '?'; return $b; }
function &id(&$x) { return $x; } function val($x) { return $x; }
$v = 'v'; f(b: $v); echo $v, "\n"; f(b: id($v)); echo $v, "\n"; echo f(b: val('call')), "\n";
try { f(b: 'literal'); } catch (Error $e) { echo $e->getMessage(), "\n"; }
$args = ['b' => 'x', 'other' => 'y']; $copy = $args; f(...$args); echo json_encode([$args, $copy]), "\n";
f(...new ArrayIterator(['b' => 'it'])); $w = 'w'; f(1, $w, extra: $w); echo $w, "\n";
echo call_user_func('f', b: 'user'), "\n"; assert(assertion: true); try { assert(assertion: 1 > 2); } catch (AssertionError $e) { echo $e->getMessage(), "\n"; }
