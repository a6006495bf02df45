<?php
// `__invoke()` of a closure is a function of PHP's own that calls it: errors name no caller, types are those of weak mode.
declare(strict_types=1);
function cl() { return function (int $x) {}; }
foreach ([
function() { cl()->__invoke(); },
function() { $f = cl(); $f->__invoke(); },
function() { $f = [cl(), '__invoke']; $f(); },
function() { call_user_func([cl(), '__invoke']); },
function() { call_user_func(cl()); },
function() { array_map(cl(), [1], [2]); array_map([cl(), '__invoke'], []); array_filter([1], [cl(), '__invoke']); },
function() { cl()->__invoke('x'); },
function() { [cl(), '__invoke']('x'); },
function() { cl()->call(new stdClass); },
function() { cl()->call(new stdClass, 'a'); },
function() { (new ReflectionFunction(cl()))->invoke(); },
function() { $f = cl()->__invoke(...); $f(); },
function() { $f = cl()->__invoke(...); $f('x'); },
function() { $f = Closure::fromCallable([cl(), '__invoke']); $f(); },
] as $f) { try { $f(); } catch (Error $e) { echo $e->getMessage(), ' @', $e->getLine(), "\n", $e->getTraceAsString(), "\n"; } }
var_dump((fn(int $x) => $x)->__invoke("5"));
