<?php
// strlen(...), $o->m(...), A::m(...), and what they capture.
class A {
    public function __construct(public $v = 1) {}
    public function m($x = 'd') { return "{$this->v}:$x"; }
    private function p() { return 'private'; }
    public static function s() { return static::class; }
    public function getP() { return $this->p(...); }
    public function __call($n, $a) { return "$n(" . json_encode($a) . ')'; }
    public static function __callStatic($n, $a) { return "static $n(" . json_encode($a) . ')'; }
}
class B extends A {}
$f = strlen(...); echo $f('four'), "\n";
$a = new A; $m = $a->m(...); $a->v = 2; echo $m(), $m('z'), "\n";
echo B::s(...)(), ' ', (new A)->getP()(), "\n";
$magic = $a->undefinedMethod(...); echo $magic(1, x: 2), "\n";
$smagic = A::undefinedStatic(...); echo $smagic(3), "\n";
$name = 'strtoupper'; echo $name(...)('dyn'), "\n";
$cl = fn($x) => $x * 2; $same = $cl(...); var_dump($same === $cl, $same == $cl, $same(4));
echo [new A(9), 'm'](...)('arr'), ' ', 'A::s'(...)(), "\n";
var_dump(array_map(intval(...), ['1', '2x']));
$r = new ReflectionFunction(strlen(...)); echo $r->getName(), "\n";
try { nope(...); } catch (Error $e) { echo $e->getMessage(), "\n"; }
class NoMagic { private function p() {} function i() {} }
try { (new NoMagic)->p(...); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { NoMagic::i(...); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { (new NoMagic)->q(...); } catch (Error $e) { echo $e->getMessage(), "\n"; }
function st() { static $n = 0; return ++$n; }
st(); $s = st(...); echo $s(), st(), $s(), "\n";
function &byref(array &$x) { return $x[0]; }
$arr = [1]; $br = byref(...); $z = &$br($arr); $z = 'ref'; echo $arr[0], "\n";
function vr(int ...$n) { return array_sum($n); }
echo vr(...)(1, 2, ...[3, 4]), "\n";
var_dump(strlen(...) == strlen(...), (new ReflectionFunction(vr(...)))->isVariadic());
$gen = (function () { yield 1; yield 2; })(...); foreach ($gen() as $v) echo $v; echo "\n";
echo (new A)->m(...)->call(new A(5), 'c'), "\n";
function dynamically($x) { $g = func_get_args(...); try { var_dump($g()); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $g = extract(...); var_dump($g(['x' => 7]), $x); } catch (Error $e) { echo $e->getMessage(), "\n"; } 
try { $g = compact(...); var_dump($g('x')); } catch (Error $e) { echo $e->getMessage(), "\n"; } 
try { $g = get_defined_vars(...); var_dump($g()); } catch (Error $e) { echo $e->getMessage(), "\n"; } 
try { $g = 'get_defined_vars'; var_dump($g()); } catch (Error $e) { echo $e->getMessage(), "\n"; } 
}
dynamically(1);
