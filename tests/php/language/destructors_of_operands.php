<?php
// Operands that end in an instruction are destructed before the next one.
class D { public $p = 1; function __destruct() { echo "<destruct>"; } function __toString() { return "d"; } function m() { return 1; } }
echo "a:"; $e |= ([1] <=> new D); echo "\n";
echo "b:"; $x = ([1] == new D) . $u; echo "\n";
echo "d:"; $x = -((new D) == null) + $u; echo "\n";
echo "e:"; $x = [(new D)->p, print("printed ")]; echo "\n";
echo "f:"; $x = [(new D)->m(), print("printed ")]; echo "\n";
echo "g:"; $x = [(string) new D, print("printed ")]; echo "\n";
echo "h:"; $x = [(bool) new D, print("printed ")]; echo "\n";
echo "i:"; $x = [!(new D), print("printed ")]; echo "\n";
echo "j:"; $x = [isset((new D)->p), print("printed ")]; echo "\n";
echo "k:"; $x = [(new D) instanceof D, print("printed ")]; echo "\n";
echo "l:"; $x = [[new D] == 1, print("printed ")]; echo "\n";
echo "m:"; $x = [count([new D]), print("printed ")]; echo "\n";
echo "n:"; $x = [[1, new D][0], print("printed ")]; echo "\n";
echo "o:"; $x = [(new D) ? 1 : 2, print("printed ")]; echo "\n";
echo "p:"; $x = [gettype(new D), print("printed ")]; echo "\n";
echo "q:"; $x = [(array) new D, print("printed ")]; echo "\n";
echo "r:"; $x = [clone new D, print("printed ")]; unset($x); echo "\n";
echo "s:"; $x = ["a{$u}" . new D, print("printed ")]; echo "\n";
echo "t:"; $x = [(new D) === null, print("printed ")]; echo "\n";
echo "u:"; $x = [1 <=> new D, print("printed ")]; echo "\n";
echo "v:"; $x = [match (true) { default => new D } == 2, print("printed ")]; echo "\n";
echo "w:"; $x = [is_int(new D), print("printed ")]; echo "\n";
echo "x:"; foreach ([new D] as $x); unset($x); echo "y\n";
echo "y:"; [$x] = [1, new D]; print("printed"); echo "\n";
echo "z:"; try { $x = 1 + new D; } catch (Error) { echo "caught"; } echo "\n";
echo "A:"; try { $x = (new D)[0]; } catch (Error) { echo "caught"; } echo "\n";
echo "B:"; switch (new D) { case 'd': echo "in"; } echo "\n";
echo "C:"; try { echo match (new D) { 1 => 2 }; } catch (Error) { echo "caught"; } echo "\n";
// Of a refused element the value ends before the key.
try { $x = [new stdClass => new stdClass]; } catch (TypeError) {}
var_dump(new stdClass);
// Names end when their class is not found; the subject of a match that finds nothing ends with what is alive around it.
foreach ([fn() => Missing::{new stdClass}, fn() => Missing::{new stdClass}(), fn() => var_dump(new stdClass, match ((object) []) {})] as $refused) {
    try { $refused(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
    unset($e);
    var_dump(new stdClass);
}
