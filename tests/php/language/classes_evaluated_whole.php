<?php
// When constants, defaults and initial values of a class are evaluated together, and in which order objects end.
enum E: string { case A = 'a'; case B = 'b'; const X = [1.5 => 1]; }
var_dump(E::A, new stdClass, E::from('b'));
enum F: string { const X = [2.5 => 1]; }
var_dump(F::tryFrom(1.79e308), F::tryFrom(1.5));
class P { const K = 3 % 0; public static $s = 4; }
class Q extends P { const K = 1; }
var_dump(Q::$s);
try { var_dump(P::$s); } catch (Error $e) { echo $e->getMessage(), "\n"; }
unset($e);

class Aggregate implements IteratorAggregate {
    public function __destruct() { echo "destructed\n"; }
    public function getIterator(): Iterator { return new ArrayIterator([1, 2]); }
}
foreach (new Aggregate as $v) echo $v, "\n";
$list[] = 1;
foreach ($list as &$item) {
    $list = (function () { yield 1; })();
}
try { $p = (object) [1] ** clone new ArrayObject; } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump(new stdClass);
try { foreach ((function () { throw new Exception('early'); yield 1; })() as $v); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
var_dump(new stdClass, new stdClass);
class R { protected private(set) int $p = 1; }
class S extends R { function m() { $this->p = 2; } }
try { (new S)->m(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
