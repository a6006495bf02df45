<?php
// What a typed property refers to is not converted for a parameter by reference, nor for a result by reference.
class C0 { public static ?int $s1 = 1; public static int $s2 = 1; public ?int $p = 1; public static int|string $u = 1; public static ?string $str = "1"; public int $i = 5; public float $f = 1.5; }
function f1(array $x, mixed $y, ?string &$z = null) { var_dump($z); }
function f2(string &$z) { var_dump($z); }
function f3(?int &$z) { var_dump($z); }
function f4(float &$z) { var_dump($z); }
$o = new C0;
foreach ([fn() => f1([], 1, C0::$s1), fn() => f1([], 1, C0::$s2), fn() => f1([], 1, $o->p), fn() => f2(C0::$s1), fn() => f2(C0::$u), fn() => f3(C0::$str), fn() => f2($o->p), fn () => f4($o->i), fn() => f4(C0::$s2), fn() => f3($o->f), fn() => f2($o->f)] as $f)
try { $f(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
$r = &C0::$s1;
try { f1([], 1, $r); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { f1([], 1, C0::$s1); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { f2(C0::$s1); } catch (Error $e) { echo $e->getMessage(), "\n"; }
$f = 'f2';
try { $f(C0::$s1); } catch (Error $e) { echo $e->getMessage(), "\n"; }
function g() { C0::$s1 = 1; $f = 'f2';
try { f1([], 1, C0::$s1); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { f2(C0::$s1); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { call_user_func_array('f2', [&C0::$s1]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
}
g();
class TR {
    public int $i = 5; public ?string $s = "7"; public static float $f = 1.0;
    function &a(): string { return $this->i; }
    function &b(): ?int { return $this->s; }
    function &c(): string { return self::$f; }
    function &d(): float { $x = 5; return $x; }
}
$o = new TR;
foreach (['a', 'b', 'c', 'd'] as $m) { try { $x = &$o->$m(); var_dump($x); } catch (Error $e) { echo $e->getMessage(), "\n"; } unset($x); }
function v(string &...$z) { var_dump($z); }
$s = 5;
try { v($s, $o->i); } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump($o, $s);
