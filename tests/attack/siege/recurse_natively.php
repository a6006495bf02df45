<?php
class A { function __toString(): string { return '' . new A; } function __destruct() { new B; } }
class B { function __destruct() { new B; } }
try { echo new A; } catch (Error $e) { }
function map($x) { return array_map('map', [1]); }
try { map(1); } catch (Error $e) { }
$f = new Fiber(function () { function g($n) { return array_map(fn() => g($n + 1), [1]); } g(0); });
$f->start();
