<?php
// A value for a parameter by reference is refused in its turn among the arguments, with and without unpacking and names.
function f0(&$x, $y=1) {}
function f1($x, &$y=1, ...$z) {}
$t = function($f) { try { $f(); } catch (Error $e) { echo get_class($e),": ",$e->getMessage(),"\n"; } };
$t(function() { array_walk([$d], $f); });
$t(function() { f0([$d], $f); });
$t(function() { f0([$d], ...$f); });
$t(function() { f0(1, ...1); });
$t(function() { f1(1, 2, ...1); });
$t(function() { f1(1, ...1, ...$u); });
$t(function() { $n='f0'; $n([$d], $f); });
$t(function() { $n='f0'; $n([$d], ...$f); });
$t(function() { $n='f0'; $n(1, ...1); });
$t(function() { f0(y: $q, x: 1); });
$t(function() { f0(1, y: $q); });
$t(function() { f0(x: 1, y: $q); });
$t(function() { f0(...[1], y: $q); });
$t(function() { f0(1, y: $q, x: $r); });
$t(function() { f1(1, 2, $q, ...$r); });
$t(function() { new A1(1, $q); });
class A1 { function __construct(&$x, $y=2) {} static function s(&$x, $y=2) {} function m(&$x, ...$r) {} }
$t(function() { new A1(1, $q); });
$t(function() { new A1(1, ...$q); });
$t(function() { A1::s(1, $q); });
$t(function() { A1::s(1, ...$q); });
$t(function() { $a = 1; $o = new A1($a); $o->m(1, $q); $o->m(2, ...$q); });
$t(function() { $a = 1; $o = new A1($a); $o->m(2, ...$q); });
$t(function() { sort([1], $q); });
$t(function() { sort([1], ...$q); });
$t(function() { sort(...$q, flags: 1); });
$t(function() { sort(f2(), $q); });
$t(function() { sort(f2(), ...$q); });
function f2() { return [1]; }
$t(function() { preg_match('/a/', 'b', 5, $q); });
$t(function() { preg_match('/a/', 'b', 5, ...$q); });
