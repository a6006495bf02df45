<?php
function t($f) { try { var_dump($f()); } catch (Throwable $e) { do echo get_class($e), ': ', $e->getMessage(), "\n"; while ($e = $e->getPrevious()); } }
set_error_handler(function ($n, $m) { throw new ErrorException($m, $n); });
t(function () { $x = [PHP_INT_MAX => 1]; $x[] = $e; });
t(function () { $x = [PHP_INT_MAX => 1]; $x[] .= $e; });
t(function () { $x = [PHP_INT_MAX => 1, $e]; });
t(function () { $x = [PHP_INT_MAX => 1, $e => 2]; });
t(function () { $x = [PHP_INT_MAX => 1, 2 => $e]; });
t(function () { $x = [5 => 1, ...$e]; });
t(function () { switch ($f) { case 1: return 2; } });
t(function () { switch (((false && 'is_int') ? (1 ** -1) : (+0))) { case $f: return 1; case 2: return 3; } });
t(function () { switch (false) { case $f: return 1; case 2: return 3; } });
t(function () { switch (1.5) { case $f: return 1; case $f . 'x': return 3; } });
t(function () { return match (1.5) { $f => 1, $f . 'x' => 3 }; });
restore_error_handler();
class C0 { public $p { get { echo "get p\n"; return $this->p; } set { echo "set p\n"; $this->p = $value; } } public $q = 1 { get { echo "get q\n"; return $this->q; } }
 public string $v { get { echo "get v\n"; return 'p0=' . 2; } } }
t(function () { $c = new C0; $c->p .= 'a'; return $c->p; });
t(function () { $c = new C0; $c->q .= $u; return $c; });
t(function () { $c = new C0; $c->q++; return $c; });
t(function () { $c = new C0; return isset($c->v[0]); });
t(function () { $c = new C0; return isset($c->v); });
t(function () { $c = new C0; return $c->v ?? 5; });
t(function () { $c = new C0; return empty($c->v); });
t(function () { $c = new C0; return $c->v[$b] ?? 6; });
t(function () { $c = new C0; return $c?->v; });
t(function () { $c = new C0; return [...(array) $c, 1]; });
t(function () { $c = new C0; foreach ($c as $k => $v) { echo $k, "\n"; } });
t(function () { $c = new C0; return json_encode($c); });
t(function () { $c = new C0; return var_export($c, true); });
t(function () { $c = new C0; return get_object_vars($c); });
t(function () { $c = new C0; return $c == new C0; });
t(function () { $c = new C0; return clone $c; });
