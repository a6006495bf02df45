<?php
class A { const X = 1; const Y = [1, 2]; private const Z = 5; protected const W = 6; const V = self::X . 'a'; const E = PHP_INT_MAX + self::X;
 #[\Deprecated] const D = 7;
 function f() { static $a = self::X; static $b = self::Z; static $c = A::W; return function () { static $d = self::X; static $e = A::X; }; } }
class B extends A { const X = 2; function g() { static $a = B::X; static $b = parent::X; static $c = A::X; static $d = self::Y; static $e = B::V; } }
interface I { const Q = 9; }
class C implements I { const R = self::Q; const S = 3; }
trait T { const U = 1; function h() { static $a = self::U; } }
enum N: int { const M = 4; case L = self::M; }
function s($f) { ob_start(); var_dump($f); preg_match_all('/\["([a-z])"\]=>\s*(\S.*)\n/', ob_get_clean(), $m, PREG_SET_ORDER); foreach ($m as [, $n, $v]) echo "$n=$v "; echo "\n"; }
s(function () { static $a = A::X; static $b = A::Y; static $c = B::X; static $d = B::Y; static $e = I::Q; static $f = C::S; static $g = C::Q; static $h = T::U; static $i = N::M; static $j = A::D; static $k = A::V; static $l = A::E; });
s((new A)->f(...)); s((new A)->f()); s((new B)->g(...)); s((new class { use T; })->h(...));
s(function () { static $a = Later::X; static $b = a::X; static $c = \A::X; static $d = A::x; });
class Later { const X = 1; }
var_dump(A::X, A::Y, B::X, A::E, [A::X => A::Y[1]], A::Y[1], "x" . A::X);
echo A::D;
try { echo A::Z; } catch (Error $e) { echo $e->getMessage(), "\n"; }
