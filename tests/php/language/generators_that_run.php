<?php
// A generator that runs is asked for something.
function t($f) { try { $f(); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
foreach (['rewind', 'current', 'key', 'next', 'valid', 'getReturn'] as $m) {
 t(function () use ($m) { $f = function () use (&$g, $m) { var_dump($g->$m()); yield 1; }; $g = $f(); $g->current(); });
 t(function () use ($m) { $f = function () use (&$g, $m) { yield 1; var_dump($g->$m()); yield 2; }; $g = $f(); $g->current(); $g->next(); });
 t(function () use ($m) { $f = function () use (&$g, $m) { $h = (function () use (&$g, $m) { yield 5; var_dump($g->$m()); yield 6; })(); yield from $h; }; $g = $f(); $g->current(); $g->next(); });
 t(function () use ($m) { $f = function () use (&$g, $m) { $h = (function () use (&$g, $m) { var_dump($g->$m()); yield 6; })(); yield from $h; }; $g = $f(); $g->current(); $g->next(); });
}
t(function () { $f = function () use (&$g) { foreach ($g as $x) var_dump($x); yield 1; }; $g = $f(); $g->current(); });
t(function () { $f = function () use (&$g) { yield 1; foreach ($g as $x) var_dump($x); yield 1; }; $g = $f(); $g->current(); $g->next(); });
t(function () { $f = function () use (&$g) { yield from $g; yield 1; }; $g = $f(); $g->current(); });
t(function () { $f = function () use (&$g) { yield 1; yield from $g; yield 1; }; $g = $f(); $g->current(); $g->next(); });
t(function () { $f = function () use (&$g) { yield 1; [...$g]; yield 1; }; $g = $f(); $g->current(); $g->next(); });

foreach (['send', 'throw'] as $m) {
 t(function () use ($m) { $f = function () use (&$g, $m) { var_dump($g->$m(new Exception('x'))); yield 1; }; $g = $f(); $g->current(); });
 t(function () use ($m) { $f = function () use (&$g, $m) { yield 1; var_dump($g->$m(new Exception('x'))); yield 2; }; $g = $f(); $g->current(); $g->next(); });
}
