<?php
function gen() { try { yield 1; yield 2; } finally { $GLOBALS['x'] = 1; } } $g = gen(); $g->current(); $f = new Fiber(function () { Fiber::suspend(); }); $f->start(); $w = new WeakMap; $w[$f] = $g;
class D { public $d; function __destruct() { $this->d = new D2; } } class D2 { function __destruct() { gc_disable(); ini_set('precision', 2); } } $d = new D; $d->d = $d; static $s = 1; $s = new D;
register_shutdown_function(function () { gc_disable(); putenv('LATE=1'); chdir('/'); });
