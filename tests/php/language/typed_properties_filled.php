<?php
// An array made inside of a typed property that holds nothing is refused, but where its element is read too.
class C { public bool $p = false; public static bool $s = false; public ?int $n = null; public int $u; public static ?int $sn = null; public ?int $w = null; public ?int $w2 = null;
 function t() { try { $this->p[2]--; } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($this->p); } }
(new C)->t();
function t($f) { $c = new C; try { $f($c); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($c, C::$s, C::$sn); C::$s = false; C::$sn = null; }
t(function($c) { $c->p[2] += 1; });
t(function($c) { $c->p[2][3] += 1; });
t(function($c) { $c->p[2][3]++; });
t(function($c) { $c->p[2] ??= 1; });
t(function($c) { $c->p[2] = 1; });
t(function($c) { $c->p[] = 1; });
t(function($c) { $c->p[] .= 1; });
t(function($c) { $r = &$c->p[1]; });
t(function($c) { C::$s[2] = 1; });
t(function($c) { $c->n[2] += 1; });
t(function($c) { $c->n[2]++; });
t(function($c) { $c->n[2] = 1; });
t(function($c) { $c->u[2] += 1; });
t(function($c) { $c->u[2] = 1; });
t(function($c) { $c->w[2]->x = 1; });
t(function($c) { unset($c->w2[2][3]); });
t(function($c) { $n = 'n'; $c->$n[2] += 1; });
t(function($c) { $r = &$c->n; $c->n[2] += 1; });
t(function($c) { $r = &$c->n; $c->n[2] = 1; });
t(function($c) { $r = &$c->n; $r[2] = 1; });
t(function($c) { $r = &$c->n; $r[2] += 1; });
