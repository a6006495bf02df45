<?php
class D { public $n; function __construct($n) { $this->n = $n; } function __destruct() { echo "~{$this->n}\n"; } }
function f() { $a = new D(1); $b = new D(2); return $a; }
f(); echo "--\n";
function g($a, $b) { return $a; }
g(new D(3), new D(4)); echo "--\n";
$x = fn($a, $b) => $a; $x(new D(5), new D(6)); echo "--\n";
class M { private $p; function __construct($p) { $this->p = $p; } function m($a) { return $a; } function n($a) { $this->p = null; return $a; } function __destruct() { echo "~M\n"; } }
(new M(1))->m(new D(7)); echo "--\n";
(new M(new D(8)))->m(new D(9)); echo "--\n";
function h() { $a = new D(1); $b = new D(2); if (rand(0, 1) < 2) { return $a; } return $b; }
h(); echo "--\n";
function &r() { $a = new D(1); $b = new D(2); return $a; }
r(); echo "--\n";
function k() { $a = new D(1); $b = new D(2); try { return $a; } finally { echo "fin\n"; } }
k(); echo "--\n";
call_user_func('f'); echo "--\n"; array_map('g', [new D(3)], [new D(4)]); echo "--\n";
function tt(): D { $a = new D(1); $b = new D(2); return $a; }
tt(); echo "--\n";
function arr() { $b = new D(2); return [$b, new D(3)]; }
arr(); echo "--\n";
function v(...$z) { $z = 1; var_dump(new ArrayObject); }
v(...)(new ArrayObject); var_dump(new ArrayObject);
function w(...$z) { return $z; }
w(...)(new ArrayObject); var_dump(new ArrayObject);
function c() { $a = new D(1); $b = new D(2); return fn() => $a; }
c(); echo "--\n";
class K { function __construct($a) { $b = new D(2); return $a; } }
new K(new D(1)); echo "--\n";
function x() { static $s; $s ??= new D('s'); $b = new D(2); return $s; }
x(); echo "--\n";
function y($a) { $b = new D(2); return $undefined ?? $a; }
y(new D(1)); echo "--\n";
function z() { $a = new D(1); $b = new D(2); $r = &$a; return $a; }
z(); echo "--\n";
function th() { $b = new D(2); return new class { function __destruct() { throw new Exception('thrown'); } }; }
try { th(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
function th2() { $b = new D(2); try { return new class { function __destruct() { throw new Exception('thrown'); } }; } catch (Exception $e) { echo "inside\n"; } }
try { th2(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
