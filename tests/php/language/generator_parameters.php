<?php
// Parameters of generator functions get their defaults when the function is called; what goes wrong there belongs to the call.
class A { function __construct(public $n=1) { echo "A $n\n"; } }
function g($x, object $y = new A) { echo "in\n"; yield 1; }
$c = g(1);
echo "made\n";
var_dump($c);
foreach ($c as $v) echo $v,"\n";
class B { function m($x = new A(5), $z = new A(6)) { yield $x; } static function s(int $x = UNKNOWN) { yield 1;} }
$g = (new B)->m(); var_dump($g); foreach ($g as $v) var_dump($v);
try { $g = B::s(); echo "made\n"; var_dump($g); $g->current(); } catch (Error $e) { echo $e->getMessage(),"\n"; }
foreach ((function($a = new A(9)) { yield 1; yield $a;})() as $k => $v) var_dump($v);
try { $g = (function(int $a) { yield 1; yield $a;})("x"); echo "made";} catch (Error $e) { echo $e->getMessage(),"\n"; }
try { $g = (function(int $a) { yield 1; yield $a;})(); echo "made";} catch (Error $e) { echo $e->getMessage(),"\n"; }
try { $g = (function(int $a) { yield 1; yield $a;})("5"); echo get_class($g), "\n";} catch (Error $e) { echo $e->getMessage(),"\n"; }
