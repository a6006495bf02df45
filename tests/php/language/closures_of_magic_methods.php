<?php
// A closure of a method that is not there shows as a call of that method, which calls __call or __callStatic.
class P { static function __callStatic($n, $a) { echo (new Exception)->getTraceAsString(), "\n"; }  function __call($n, $a) { echo (new Exception)->getTraceAsString(), "\n"; debug_print_backtrace(); } }
$c = P::mm(...);
$c(1, 2); array_map($c, [1]); P::mm(3); array_map('P::mm', [4]); array_map(['P', 'mm'], [4]); call_user_func($c, 5); call_user_func('P::mm', 6);
$c = (new P)->mm(...); $c(1, 2); array_map($c, [1]); (new P)->mm(3); array_map([new P, 'mm'], [4]); call_user_func($c, 5); call_user_func([new P, 'mm'], 6);
(new ReflectionFunction($c))->invoke(7);
$c = Closure::fromCallable([new P, 'zz']); $c(8); array_map($c, [9]); iterator_apply(new ArrayIterator([1]), $c, [10]); $x = [1]; array_walk($x, $c); usort($x, $c);
$g = (function() use ($c) { $c(11); yield 1; })(); $g->current(); $f = new Fiber($c); $f->start(12);
class Q { static function __callStatic($n, $a) { throw new Error('x'); } }
$c = Q::mm(...);
foreach ([fn() => $c(1, 2), fn() => array_walk([1], $c),  fn() => array_map($c, [1]), function() use ($c) { $x = [1]; array_walk($x, $c); }, function() use ($c) { $x = [1]; array_walk($x, Q::mm(...)); }, function() use ($c) { $x = [1]; array_map(Q::mm(...), $x); }, 
function() { $x = [1, 2]; usort($x, Q::mm(...)); },function() { $x = [1, 2]; usort($x, 'Q::mm'); },function() { $x = [1, 2]; array_walk($x, ['Q', 'mm']); },function() { $x = [1, 2]; array_filter($x, Q::mm(...)); },function() { $x = [1, 2]; call_user_func(Q::mm(...), 2); },
function() { $x = [1, 2]; array_walk($x, Closure::fromCallable(['Q', 'mm'])); },
function() { $x = [1, 2]; array_walk(array_intersect_key([1], [1]), Q::mm(...)); }] as $f) try { $f(); } catch (Error $e) { echo $e, "\n"; }
