<?php
// Parameters that named arguments jump over, and what variadic parameters collect: errors, traces, conversions, references.
function f1(int|false $x, $z = null) {
}
function f2(int|false $x, int $u, $z = null) {
}
function f3($x, int $u, $z = null, ...$more) {
}
foreach ([fn() => f1(z: 1), fn() => f2(z: [], x: 2), fn() => f2(u: [], x: 2), fn() => f2(u: [], z: 2),fn() => f2(2, z: 2), fn() => f3(u: 1), fn() => f3(u: 1, z: [], w: 2),  fn() => f3(...['u' => 1]), fn() => array_map(f3(...), [1], u: 1), fn() => call_user_func('f3', u: 1), fn() => array_slice(offset: 1), fn() => str_replace(replace: 1), fn() => iterator_to_array(f1(z: 1), false), fn() => iterator_to_array(f1(z: 1))] as $f) try { $f(); } catch (Error $e) { echo $e, "\n"; }
function f5(
  int $x,
  ?int $y = 0) {}
try { f5(y: 1); } catch (Error $e) { echo $e, "\n"; }
try { f5(y: 1, x: []); } catch (Error $e) { echo $e, "\n"; }
try { f5(); } catch (Error $e) { echo $e, "\n"; }
class KK { function __construct(public $x, public $y = 2) {} }
try { new KK(y: 1); } catch (Error $e) { echo $e, "\n"; }
try { array_map(array: [], arrays: 2); } catch (Error $e) { echo $e, "\n"; }
try { array_map('f1', array: [], arrays: 2); } catch (Error $e) { echo $e, "\n"; }
try { array_map(array: []); } catch (Error $e) { echo $e, "\n"; }
try { call_user_func_array('f1', ['z' => 2]); } catch (Error $e) { echo $e, "\n"; }

function fa(...$y) { var_dump($y); }
fa(...['' => 1]); fa(...['' => 1, 'a' => 2]);
function f0(\Traversable|array ...$y) { var_dump($y); }
try { f0(...['' => 1]); } catch (Error $e) { echo $e, "\n"; }
try { f0(...['a' => 1]); } catch (Error $e) { echo $e, "\n"; }
try { f0(...[[], 'a' => 1]); } catch (Error $e) { echo $e, "\n"; }
try { f0(a: 1); } catch (Error $e) { echo $e, "\n"; }
function f00(int ...$y) { var_dump($y); }
f00(...['a' => '1', 'b' => 1.0]); f00(a: "5");
function f01(int &...$y) { var_dump($y); $y['a']++; } $z = "5"; 
f01(a: $z); var_dump($z);
function g1(string $a, int $b = 3, int ...$y) { var_dump(func_get_args(), $y); }
g1('x', c: '5'); g1(a: 'x', c: '5'); g1(...['a' => 'y', 'c' => 5]);
try { g1('x', c: 'q'); } catch (Error $e) { echo $e, "\n"; }
try { g1('x', 1, c: 'q'); } catch (Error $e) { echo $e, "\n"; }
try { g1('x', 1, 2, c: 'q', d: []); } catch (Error $e) { echo $e, "\n"; }
try { g1(c: 'q', a: 's'); } catch (Error $e) { echo $e, "\n"; }
try { g1(c: 'q'); } catch (Error $e) { echo $e, "\n"; }
try { g1(...['' => 'q'], a: 's'); } catch (Error $e) { echo $e, "\n"; }
