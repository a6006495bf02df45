<?php
function t($f) { try { var_dump($f()); } catch (Throwable $e) { do echo get_class($e), ': ', $e->getMessage(), "\n"; while ($e = $e->getPrevious()); } }
t(function () { $g->{"a\0b"}++; });
t(function () { $g->{"a\0b"} = 1; });
t(function () { $g->{"a\0b"} .= 1; });
t(function () { $g->{"a\0b"}[] = 1; });
t(function () { return $g->{"a\0b"}; });
t(function () { $o = new stdClass; return $o->{"a\0b"}; });
t(function () { $o = new ArrayIterator; return $o->{"a\0b"}; });
t(function () { $g->{"a\0b"}(); });
t(function () { $g = new stdClass; $g->{"a\0b"}(); });
t(function () { array_filter([1], [new class { }, 'm3']); });
t(function () { array_filter([1], [new class { private function m3() {} }, 'm3']); });
t(function () { array_filter([1], 'class@anonymous::x'); });
t(function () { $o = new class { }; $f = [$o, 'm3']; $f(); });
t(function () { $o = new class { }; call_user_func([$o, 'm3']); });
t(function () { $o = new class { }; array_map([get_class($o), 'm3'], [1]); });
t(function () { $o = new class { function m3() {} }; array_map([get_class($o), 'm3'], [1]); });
t(function () { $o = new class { function m3() {} }; array_map(get_class($o) . '::m3', [1]); });
t(function () { return ["-9223372036854775808,1" + 0 , "-9223372036854775808 " + 0, "9223372036854775807 " + 0, "-9223372036854775807x" + 0, " -9223372036854775808" + 0]; });
t(function () { return [(int) "-9223372036854775808,1", (int) "9223372036854775808", "-9223372036854775808 " == "-9223372036854775808", is_numeric("-9223372036854775808 ")]; });
t(function () { $a = []; $a["-9223372036854775808"] = 1; return $a; });
t(function () { $s = "-9223372036854775808,"; return intdiv($s, 3); });
function f9() { $a += $e; }
f9();
function f10($e) { $a += $e; $b .= $c; $d -= $a; $f ??= $g; $h ^= $i; }
f10(1);
function f11() { for ($i = 0; $i < 2; $i++) { $d .= '1'; } $a += $e; return ['x' => $x ?? 'none', 'd' => $d ?? 'none', 'f' => $f ?? 'none', 'a' => $a ?? 'none', 'e' => $e ?? 'none']; }
f11();
class C0 { public function __get($name) { $this->p0 |= -128; return null; } }
t(function () { $c = new C0; return $c->p0; });
class C1 { public function __get($name) { $this->p0++; return null; } }
t(function () { $c = new C1; return $c->p0; });
class C2 { }
t(function () { $c = new C2; $c->x |= 5; $c->y++; ++$c->z; $c->q .= 'a'; $c->w[] = 1; $c->e ??= 5; return $c; });
function v(bool ...$x) {}
t(function () { v(true, true, true, []); });
t(function () { v(true, [], true, []); });
t(function () { $f = new Fiber(function (bool ...$x) { }); $f->start(true, false, true, null, null); });
t(function () { $f = new Fiber(function (bool ...$x) { }); $f->start(true, false, true, true, []); });
t(function () { (function (bool ...$x) { })(true, false, true, null, []); });
class C3 { public int $p3 { get => $this->p3; set => $value; } public array $p4 { get => $this->p4; set => $value; } public ?array $p5 = null { get => $this->p5; }
  function m() { $this->p3[' '] = &$d; } function m4() { $this->p4[' '] = &$d; } function m5() { $this->p5[' '] = &$d; } function m6() { $this->p4[' '] = 1; } function m7() { $this->p4[] = 1; }  function m8() { $this->p4[1][2] = 1; } function m9() { $r = &$this->p4; } function m10() { $this->p3++; } function m11() { unset($this->p4[1]); } }
foreach (['m', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9', 'm10', 'm11'] as $m) t(function () use ($m) { $c = new C3; $c->$m(); });
