<?php
class C0 { const K1 = []; public function m1() { $this->{C0::K1} = 1; } public function m2() { $this->{self::K1} = 1; } }
if (('' and f2(x: 1, 2))) { } elseif (1) { }
if ((1 or fn(\Closure $y = null) => 3)) { }
0 && f2(x: 1, 2);
1 || f2(x: 1, 2);
var_dump(0 && f2(x: 1, 2), null and f2(x: 1, 2), PHP_INT_MAX || f2(x: 1, 2), C0::K1 && f2(x: 1, 2), !(1 || f2(x: 1, 2)), 1 && 0 && f2(x: 1, 2));
while (0 && f2(x: 1, 2)) {}
$d = "1";
try { $d[] >>= f0(...); } catch (Throwable) { $c = new stdClass; }
function f0() {}
var_dump($c);
$h = (new \ArrayIterator([1, 2]));
try { $h[[]] += 1; } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; }
var_dump((false ? 1 : 0) && function (\Closure $y = null) {}, (null ?? 0) && function (\Closure $y = null) {}, ([0][0]) && function (\Closure $y = null) {}, (1 && 0) && function (\Closure $y = null) {}, (1 - 1) && function (\Closure $y = null) {});
if ((false ? 1 : 0) && function (\Closure $y = null) {}) {}
