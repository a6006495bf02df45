<?php
// __call, __callStatic, __invoke, and which of them wins.
class C {
    function __call($n, $a) { return "call $n(" . implode(',', $a) . ')'; }
    static function __callStatic($n, $a) { return "static $n(" . implode(',', $a) . ')'; }
    private function priv() { return 'priv'; } protected static function prot() { return 'prot'; }
    function test() { return [$this->priv(), self::nope(1), static::nope2(), C::undefd(), $this->prot(), self::prot()]; }
    static function stest() { return self::nope(2); }
    function __invoke($x = 'none') { return "invoked $x"; }
}
$c = new C; echo $c->foo(1, 2), ' ', C::bar(3), ' ', $c->priv(), ' ', C::prot(), ' ', $c->FooBar(), "\n";
echo implode(' | ', $c->test()), ' | ', C::stest(), "\n";
echo $c(), $c(5), ' ', call_user_func($c, 'cuf'), ' ', implode(array_map($c, [1, 2])), "\n";
echo call_user_func([$c, 'magic'], 1), ' ', call_user_func('C::smagic', 2), ' ', call_user_func_array([$c, 'named'], ['a' => 1, 'b' => 2]), "\n";
var_dump(is_callable([$c, 'anything']), is_callable('C::anything'), method_exists($c, 'anything'), is_callable($c));
$m = 'dynamic'; echo $c->$m('x'), ' ', C::$m('y'), ' ', $c->{'with space'}(), ' ', [$c, 'arr'](1), ' ', 'C::str'(), "\n";
$f = $c->fcc(...); echo $f(7), ' '; $f = C::sfcc(...); echo $f(8), "\n";
class NoMagic { private function p() {} public function inst() { return isset($this) ? 'this' : 'nothis'; } static function st() { return 'st'; } }
foreach ([fn() => (new NoMagic)->p(), fn() => (new NoMagic)->undefined(), fn() => NoMagic::undefined(), fn() => NoMagic::inst(), fn() => (new NoMagic)::st(), fn() => (new NoMagic)->st(), fn() => null->x(), fn() => $undef->x(), fn() => (5)->x(), fn() => 'str'->x(), fn() => Missing::x(), fn() => missing_fn(), fn() => (new NoMagic)(), fn() => [new NoMagic, 'zz'](), fn() => 'NoMagic::zz'(), fn() => ['NoMagic', 'inst'](), fn() => [1, 2, 3](), fn() => (new NoMagic)->{"a b"}()] as $i => $t)
    try { echo $i, ': ', $t(), "\n"; } catch (Error $e) { echo get_class($e), ' ', $e->getMessage(), "\n"; }
class Par { function __call($n, $a) { return "par:$n"; } } class Chi extends Par { function real() { return parent::gone() . ' ' . parent::__call('x', []); } } echo (new Chi)->real(), "\n";
class RefArgs { function __call($n, $a) { $a[0] = 'changed'; } } $v = 'same'; (new RefArgs)->x($v); echo $v, "\n";
class Inv { public $p; function go() { $this->p = fn() => 'prop'; return ($this->p)() . (fn() => $this->p)()(); } } echo (new Inv)->go(), "\n";
