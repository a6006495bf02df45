<?php
// When an exception passes: calls that were not made yet go first, the innermost before the others, their arguments in order; then the
// other temporaries in the order in which they came about; then variables. Numbers of objects show it, too.
function g() { $x = new stdClass; yield 1; }
class L extends Exception { function __construct($a) { throw new Exception("x"); } }
for ($n = 0; $n < 3; $n++) {
try {
foreach ((function () { yield 1; })() as $b => $g) {
 if ($n == 0) var_dump(throw new \LogicException([]));
 if ($n == 1) var_dump(new L(5));
 if ($n == 2) var_dump(new stdClass, new L(new stdClass));
}
} catch (\Throwable $t) { echo $t::class, ': ', $t->getMessage(), ' @', $t->getLine(), "\n"; }
$f = (new \stdClass);
var_dump(spl_object_id($f));
$f1 = (new \stdClass);
var_dump(spl_object_id($f1));
$f2 = (new \stdClass);
var_dump(spl_object_id($f2));
$f3 = (new \stdClass);
var_dump(spl_object_id($f3));
unset($f3,$f2,$f1,$f);
}
class D { public function __construct(public $n) {} function __destruct() { echo "D{$this->n} "; } }
function th() { throw new Exception("th"); }
try { foreach ([new D(1)] as $x) { $y = [new D(2), new D(3) , th()]; } } catch (Exception $e) { echo "\n"; }
unset($x);
function tt() { foreach ([new D(1)] as $x) foreach([new D(2)] as $x) { $y = [new D(3), new D(4) , foo(new D(5), th())]; } } 
function foo() {}
try { tt(); } catch (Exception $e) { echo "\n"; }
unset($e, $x);
function tt2() { return (new D(1))->a(new D(2), [new D(3), new D(4) . "x", th()]); }
try { tt2(); } catch (Throwable $e) { echo "\n"; }
function tt3() { return foo(new D(1), foo(new D(2), new D(3), th())); }
try { tt3(); } catch (Throwable $e) { echo "\n"; }
function tt4() { return [new D(1), [new D(2), foo(new D(4)), th()]]; }
try { tt4(); } catch (Throwable $e) { echo "\n"; }
function tt5() { $q = (new D(1)) == (new D(2)) . th(); }
try { tt5(); } catch (Throwable $e) { echo "\n"; }
function tt6() { $q = foo(new D(1)) ?? foo(new D(2), new D(3), new D(th())); }
try { tt6(); } catch (Throwable $e) { echo "\n"; }

// The subject of a `match` that has no arm for it goes after the calls that were not made yet.
function numbers(callable $f): void
{
    try {
        $f();
    } catch (Throwable $t) {
        echo get_class($t), ':';
        unset($t);
    }
    $objects = [new stdClass, new stdClass, new stdClass, new stdClass, new stdClass];
    foreach ($objects as $object) {
        echo ' ', spl_object_id($object);
    }
    echo "\n";
}
function two($a, $b) {}
numbers(fn() => (two(...))(match (new Exception('made')) {}));
numbers(fn() => two(new stdClass, match (new Exception('made')) {}));
numbers(fn() => [new stdClass, new ArrayObject, match (new Exception('made')) {}]);
numbers(fn() => two(new Exception, match (two(new Exception, match (new stdClass) {})) {}));
numbers(fn() => new ArrayObject(new stdClass)[new Exception]);
