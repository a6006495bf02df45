<?php
function t($f) { try { $f(); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
// `op=` does not ask a typed reference whether it may become an array.
class C0 { public static ?int $s1 = 5; public static ?int $s2 = null; public static null|int|array $s3; public ?int $p = null; public ?array $pa = null;
  public static ?int $s4 = null;public static bool $s5 = false;}
t(function () { C0::$s1 = &$f; $f[1] .= 1; var_dump($f); });
t(function () { C0::$s2 = &$f; $f[1] = 1; var_dump($f); });
t(function () { $f = &C0::$s4;  $f[1] = 1; var_dump($f); });
t(function () { $f = &C0::$s4;  $f[] = 1; var_dump($f); });
t(function () { $f = &C0::$s4;  $f[1][2] = 1; var_dump($f); });
t(function () { $f = &C0::$s4;  $f[1] .= 1; var_dump($f); });
t(function () { $f = &C0::$s4;  $g = &$f[1]; var_dump($f); });
t(function () { $f = &C0::$s5;  $g = &$f[1]; var_dump($f); });
t(function () { $f = &C0::$s5;  $f[1] .= 1; var_dump($f); });
t(function () { $o = new C0; $f = &$o->p; $f[1] .= 1; var_dump($f); });
t(function () { $o = new C0; $o->p = &$f; $f[1] .= 1; var_dump($f); });
t(function () { $o = new C0; $o->p = &$f; $f[1] = 1; var_dump($f); });
