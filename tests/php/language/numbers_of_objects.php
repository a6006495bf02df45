<?php
// Which numbers objects get: iterations, objects that cannot be made, subjects of match.
function f() { return 1; yield 1; }
foreach (f() as $x) { }
echo spl_object_id(new stdClass), "\n";
foreach (f() as $x) { }
echo spl_object_id(new stdClass), "\n";
function f2() { yield 1; }
foreach (f2() as $x) { }
echo spl_object_id(new stdClass), "\n";
foreach (f2() as $x) { break; }
echo spl_object_id(new stdClass), "\n";
$x = new ArrayObject([]);
foreach ($x as $y) {}
echo spl_object_id(new stdClass), "\n";
$x = new ArrayObject([1]);
foreach ($x as $y) {}
echo spl_object_id(new stdClass), "\n";
foreach (new ArrayIterator([]) as $y) {}
echo spl_object_id(new stdClass), "\n";
foreach (new ArrayIterator([1,2]) as $y) {}
echo spl_object_id(new stdClass), "\n";
foreach (new ArrayIterator([1,2]) as $y) {break;}
echo spl_object_id(new stdClass), "\n";
class A implements IteratorAggregate { function getIterator(): Iterator { return new ArrayIterator([1]); } }
foreach (new A as $y) {}
echo spl_object_id(new stdClass), "\n";
foreach (new A as $y) {break; }
echo spl_object_id(new stdClass), "\n";
$f = function() { yield 1; };
foreach ($f() as $y) {}
echo spl_object_id(new stdClass), "\n";
foreach ((function() { yield 1; })() as $y) {}
echo spl_object_id(new stdClass), "\n";
foreach ((function() { yield 1; })() as $y) {break;}
echo spl_object_id(new stdClass), "\n";
foreach ((fn() => yield 1)() as $y) {break;}
echo spl_object_id(new stdClass), "\n";
var_dump(iterator_to_array((fn() => yield 1)()));
echo spl_object_id(new stdClass), "\n";
$g = (fn() => yield 1)();
unset($g);
echo spl_object_id(new stdClass), "\n";
$g = (fn() => yield 1)();
$g->current(); unset($g);
echo spl_object_id(new stdClass), "\n";
$a = [new stdClass, new stdClass, new stdClass]; unset($a);
echo spl_object_id(new stdClass), "\n";
class P { private function __construct() {} }
abstract class Q { }
interface I {}
enum E { case X; }
function t($f) { try { $f(); } catch (Throwable $e) { var_dump(spl_object_id($e)); echo $e->getMessage(), "\n"; } }
t(fn() => new Closure);
t(fn() => new P);
t(fn() => new Q);
t(fn() => new I);
t(fn() => new E);
t(fn() => new Generator);
t(fn() => new WeakReference);
t(fn() => new Missing);
t(fn() => new P($undef));

$f = new Fiber(function ($x) { $d = match (new Exception('made')) {}; });
try { $f->start(1); } catch (Error $t) { echo $t->getMessage(), "\n"; }
echo spl_object_id(new stdClass), "\n";
