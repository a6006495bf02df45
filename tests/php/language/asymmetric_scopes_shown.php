<?php
function t($f) { try { var_dump($f()); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
class C0 { public private(set) int $p2 = 0; public private(set) array $a = []; }
class C2 extends C0 { function a() { $this->p2++; } function b() { $this->p2 = 1; } function c() { $this->p2 += 1; } function d() { $x = &$this->p2; } function e() { $this->a[] = 1; } function f() { unset($this->p2); } function g() { ++$this->p2; } function h() { foreach ($this as &$x) {} }
 function __toString() { $this->p2++; } }
class C3 extends C2 {}
foreach (['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', '__toString'] as $m) { t(fn() => (new C3)->$m()); t(fn() => (new class extends C2 {})->$m()); }
t(fn() => (string) new C3);
t(fn() => (string) new class extends C2 {});
t(fn() => (new class extends C2 { function z() { $this->p2 = 1; } })->z());
t(function () { $c = new C0; $c->p2 = 1; });
