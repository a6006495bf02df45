<?php
class S { function __construct(public $n) {} function __toString() { echo "<$this->n>"; return $this->n; } public $p; }
function t($f) { try { echo $f(), "\n"; } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; } }
$a = new S('a'); $b = new S('b'); $b->p = new S('p'); $l = [1]; $c = new S('c');
t(function () use ($a, $b, $c, $l) { return $a . "x$b"; });
t(function () use ($a, $b, $c, $l) { return $u . "x$b"; });
t(function () use ($a, $b, $c, $l) { return $u . "x$v"; });
t(function () use ($a, $b, $c, $l) { return $u . "$v-$w"; });
t(function () use ($a, $b, $c, $l) { return $l . "$v-$b" . $c; });
t(function () use ($a, $b, $c, $l) { return $l . "x{$b->p}" . $c; });
t(function () use ($a, $b, $c, $l) { return $a . "x{$b->p}y{$b->p}" . $c; });
t(function () use ($a, $b, $c, $l) { return $b->p . "x{$b->p}y{$a}" . $c; });
t(function () use ($a, $b, $c, $l) { return $b->p . "x{$b->p}" . $c; });
t(function () use ($a, $b, $c, $l) { return "l" . "x{$b->p}" . $c; });
t(function () use ($a, $b, $c, $l) { return $a . "x{$b->p}" . $c . "$a" . "z{$l}"; });
t(function () use ($a, $b, $c, $l) { return $a . $c . "x{$b->p}-$a" . $u . "x$v"; });
t(function () use ($a, $b, $c, $l) { return $u . "x{$b->p}"; });
t(function () use ($a, $b, $c, $l) { return $u . "{$u[0]}-$v"; });
t(function () use ($a, $b, $c, $l) { return $u . "{$u[0]}-{$b->zz}" . 'l'; });
t(function () use ($a, $b, $c, $l) { return $u . "{$b}-$l" . ($a = 5); });
t(function () use ($a, $b, $c, $l) { return $a . "{$b}" . ($a = 5); });
t(function () use ($a, $b, $c, $l) { return $a . "{$b} " . ($a = 5) . $a; });
t(function () use ($a, $b, $c, $l) { $g = (fn() => yield 1)(); return $u . "{$u[0]}-$g"; });
t(function () use ($a, $b, $c, $l) { $g = (fn() => yield 1)(); return $u . "$g" . $a; });
t(function () use ($a, $b, $c, $l) { $g = (fn() => yield 1)(); return $a . "$g" . $a; });
t(function () use ($a, $b, $c, $l) { $g = (fn() => yield 1)(); return $a . "x$g" . $a; });
t(function () use ($a, $b, $c, $l) { $g = 5; return $g . "x$g" . $g++ . "y" . $g; });
t(function () use ($a, $b, $c, $l) { $g = 5; return $g . "x{$b->p}" . $g++ . "y" . $g; });
