<?php
class C1 { public int $p1; public ?int $p2; public int|array $p3; public array $p4; static array $s; function i() { $d = &$this->p3; } function j() { $d = &$this->p4; } function k() { $this->p4[] = 1; $this->p3[1] = 2; var_dump($this); } function l() { $d = &self::$s; } function m() { $d = [&$this->p4]; } function f() { $d = &$this->p1; } function g() { $d = &$this->p2; var_dump($d); } function h() { foreach ($this as &$x) {} } }
function t($f) { try { var_dump($f()); } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } }
t(fn() => (new C1)->f()); t(fn() => (new C1)->g());  t(fn() => (new C1)->h());
class P { protected $p3 = [1]; private $q = [1]; }
t(function () { $e = new P; unset($e->p3[2]); });
t(function () { $e = new P; unset($e->q[2]); });
foreach (["i", "j", "k", "l", "m"] as $m) t(fn() => (new C1)->$m()); t(function () { $o = new C1; $o->p1 = 1; $x = &$o->p1; var_dump($x); }); t(function () { $o = new C1; foreach ($o as &$x) {} $o->p3 = []; foreach ($o as &$x) { var_dump($x); } }); t(function () { $o = new C1; f5($o->p3); }); function f5(&$x) { var_dump($x); } t(function () { $o = new C1; sort($o->p4); });
