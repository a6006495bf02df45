<?php
function t($f) { try { $f(); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
class H { public string|array $a = 'x' { get => $this->a; } public array $b { get => [1]; } public array $c { &get { static $x = [1, 2]; return $x; } } public $d = [1] { set => $value; } public $o { get => new ArrayObject([1]); } }
t(function () { $h = new H; unset($h->a[1]); });
t(function () { $h = new H; unset($h->b[0]); });
t(function () { $h = new H; unset($h->c[0]); var_dump($h->c); });
t(function () { $h = new H; unset($h->d[0]); var_dump($h->d); });
t(function () { $h = new H; unset($h->o[0]); });
t(function () { $h = new H; unset($h->a->x); });
t(function () { $h = new H; unset($h->o->x); });
t(function () { $h = new H; unset($h->b[0][1]); });
t(fn() => (new Fiber(function () {}))->start(y: $h[]));
function g($x) {}
t(function () { $f = 'g'; $f(x: $h[]); });
t(function () { $f = 'g'; $f(y: $h[]); });
set_error_handler(function ($n, $m) { throw new ErrorException($m, $n); });
t(function () use (&$h) { $h = false; $h[4][5] = 1; });
var_dump($h);
t(function () use (&$h) { $h = false; $h[4] = 1; });
var_dump($h);
t(function () use (&$h) { $h = false; $h[] = 1; });
var_dump($h);
t(function () use (&$h) { $h = false; $h[4] .= 1; });
var_dump($h);
t(function () use (&$h) { $h = false; $x = &$h[4]; });
var_dump($h);
t(function () use (&$h) { $h = false; $h[4]->x = 1; });
var_dump($h);
t(function () { $h = false; try { $h[4][5] = 1; } finally { var_dump($h); } });
t(function () { $h = false; try { $h[4] = 1; } finally { var_dump($h); } });
t(function () { $h = false; try { $h[4][] = 1; } finally { var_dump($h); } });
t(function () { $h = false; try { $x = &$h[4]; } finally { var_dump($h); } });
t(function () { $h = false; try { $h[4] .= 4; } finally { var_dump($h); } });
class D { function __destruct() { ++$a; } }
t(function () { $d = (function () { $g = new D; throw new Error('e'); yield 1; })(); $d->throw(new LogicException("l")); });
restore_error_handler();
t(function () { $h = false; $h[[]] = 1; });
t(function () { $h = false; $h[[]][1] = 1; });
t(function () { $h = false; $h[new stdClass] .= 1; });
t(function () { $h = null; $h[[]] = 1; });
