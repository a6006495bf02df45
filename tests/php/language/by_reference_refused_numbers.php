<?php
// What a parameter by reference refuses ends behind the Error.
function f1(\Closure &$x) { }
try { $g = iterator_to_array(f1(function () { }, ...2), false); } catch (\Throwable $t) { echo $t::class, ': ', $t->getMessage(), ' @', $t->getLine(), "\n"; }
$h = ((object) ['p0' => 1, 'p1' => 'x']);
var_dump($h);
unset($t, $h);
try { $g = f1(function () { }, 2); } catch (\Throwable $t) { echo $t::class, ': ', $t->getMessage(), ' @', $t->getLine(), "\n"; }
$h = ((object) ['p0' => 1, 'p1' => 'x']);
var_dump($h);
unset($t, $h);
try { $g = f1(new stdClass, ...[]); } catch (\Throwable $t) { echo $t::class, ': ', $t->getMessage(), ' @', $t->getLine(), "\n"; }
$h = ((object) ['p0' => 1, 'p1' => 'x']);
var_dump($h);

try { $g = f1(function () { }, 2); } catch (\Throwable $t) { echo spl_object_id($t), $t->getMessage(), ' @', $t->getLine(), "\n"; }
var_dump(new stdClass);
unset($t, $h);
try { $g = f1(function () { }, print "2\n"); } catch (\Throwable $t) { echo spl_object_id($t), $t->getMessage(), ' @', $t->getLine(), "\n"; }
var_dump(new stdClass);
