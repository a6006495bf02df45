<?php
// Typed references to nothing allow no array, which PHP does not ask where an element of them is operated on, nor of static properties whose element is read.
class C { public ?int $n = null; public static ?int $s = null; public bool $b = false; }
function t($f) { static $k; echo ++$k, ": "; $c = new C; C::$s = null; try { $f($c); } catch (Error $e) { echo $e->getMessage(); } echo json_encode([$c->n, C::$s, $c->b]), "\n"; unset($c); }
t(function($c) { $r = &$c->n; $r[2] = 1; });
t(function($c) { $r = &$c->n; $r[2][3] = 1; });
t(function($c) { $r = &$c->n; $r[] = 1; });
t(function($c) { $r = &$c->n; $q = &$r[2]; });
t(function($c) { $r = &$c->n; $r[2] += 1; });
t(function($c) { $r = &$c->n; $r[2]++; });
t(function($c) { $r = &$c->n; $r[2][3]++; });
t(function($c) { $r = &$c->n; $r[2] ??= 3; });
t(function($c) { $r = &$c->n; $r[2]->x = 3; });
t(function($c) { $r = &$c->n; foreach ([1] as $r[2]) {} });
t(function($c) { $r = &$c->n; [$r[2]] = [1]; });
t(function($c) { $r = &$c->n; unset($r[2][3]); });
t(function($c) { $r = &$c->b; $r[2] += 1; });
t(function($c) { $r = &$c->b; $r[2] = 1; });
t(function($c) { $r = &$c->b; $c->b[2] = 1; });
t(function($c) { $r = &$c->b; $c->b[2]++; });
t(function($c) { C::$s[2] += 1; });
t(function($c) { C::$s[2][3] += 1; });
t(function($c) { C::$s[2]++; });
t(function($c) { C::$s[2] = 1; });
t(function($c) { C::$s[2][2] = 1; });
t(function($c) { $r = &C::$s; $r[2] += 1; });
t(function($c) { $r = &C::$s; $r[2] = 1; });
t(function($c) { $r = &C::$s; $r[2]++; });
t(function($c) { $r = &C::$s; C::$s[2]++; });
