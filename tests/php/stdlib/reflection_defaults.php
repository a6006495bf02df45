<?php
// Defaults of parameters as Reflection shows them, and the constants that they name.
namespace N;
const X = 1;
class A { const B = 1; const C = 2; function f($a = X, $b = \M_PI, $c = self::B, $d = A::B, $e = \N\A::B, $f = namespace\X, $g = true, $h = NULL, $i = new A(1, x: 2), $j = [X, 'k' => self::C], $k = X + 1, $l = A::class, $m = __CLASS__, $o = \N\E::Z, $p = E::Z, $q = E::Z->name, $r = X ? 1 : 2, $s = Foo\BAR, $t = M_PI) {} }
enum E { case Z; }
$m = new \ReflectionMethod('N\A', 'f');
foreach ($m->getParameters() as $p) { echo $p->isDefaultValueConstant() ? var_export($p->getDefaultValueConstantName(), true) : '-', "  ", $p, "\n"; }
foreach ([new \ReflectionParameter('sort', 1), new \ReflectionParameter('json_encode', 2)] as $p)  try { echo $p->isDefaultValueConstant() ? var_export($p->getDefaultValueConstantName(), true) : '-', "  ", $p, "\n"; } catch (\Exception $e) { echo $e->getMessage(), "\n"; }
