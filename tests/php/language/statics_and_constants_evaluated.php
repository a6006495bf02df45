<?php
// The class that is asked for a static property evaluates what it has to, its parents only where it has something itself.
class A { public const K = [PHP_INT_MAX => null, 1]; }
class B extends A { const K = 1; public static ?int $s = 1; }
final class C extends B {}
var_dump(C::$s);
class D { public static $s = 1; }
class E extends D { public $p = (1 % 0); }
try { E::$s = 2; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { var_dump(E::$s); } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump(D::$s);
// References that somebody else has stay references in what they are unpacked into.
$h = &$f[1];
var_dump([...$f], [...[1, ...$f]]);
unset($h);
var_dump([...$f]);
// A parent is looked for before traits, these before interfaces.
spl_autoload_register(function ($c) { echo "load $c\n"; if ($c === 'P0') { eval('class P0 {}'); } if ($c === 'T0') { eval('trait T0 {}'); } });
foreach (['class C1 extends P1 implements I1 { use T1; }', 'class C2 extends P0 implements I1 { use T0; }', 'interface I9 extends I8 {}'] as $code) {
    try { eval($code); } catch (Error $e) { echo $e->getMessage(), "\n"; }
}
// What a static method was called on ends before the arguments are evaluated.
class S { public static function m(...$a) { echo "m\n"; } public function __destruct() { echo "end\n"; } }
(new S)->m(print("argument\n"));
for ($i = 0; $i < 3; $i++) { (new S)->m(print("argument\n")); }
var_dump(match (1) { new S => 1, default => 2 });
// Numbers of objects that end inside of others.
class N { public $inner; public function __destruct() {} }
$o = new stdClass; $o->a = new N; $o->b = new stdClass;
unset($o);
foreach ([1, 2, 3] as $_) { $k[] = $n = new stdClass; var_dump(spl_object_id($n)); }
function outside() { $this->p = print("not evaluated\n"); }
try { outside(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
set_error_handler(function ($n, $m) { throw new ErrorException($m, $n); });
try { echo [], "\n"; } catch (ErrorException $e) { echo " ", $e->getMessage(), "\n"; }
