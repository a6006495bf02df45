<?php
// Which writes ask the type of a reference, or of a static property, before an array begins in it.
class C { public ?int $n = null; public static ?int $s = null; public int|false $f = false; }
$ops = [
 'dim' => function(&$r) { $r[0] = 1; }, 'push' => function(&$r) { $r[] = 1; }, 'dimdim' => function(&$r) { $r[0][1] = 1; },
 'op' => function(&$r) { $r[0] .= 1; }, 'push op' => function(&$r) { $r[] .= 1; }, 'inc' => function(&$r) { $r[0]++; }, 'dimdim op' => function(&$r) { $r[0][1] .= 1; }, 'ref' => function(&$r) { $x = &$r[0]; }, 'unset' => function(&$r) { unset($r[0]); }, 'unset2' => function(&$r) { unset($r[0][1]); }, 'coal' => function(&$r) { $r[0] ??= 1; }, 'list' => function(&$r) { [$r[0], $r[1]] = [1, 2]; }, 'arg' => function(&$r) { sort($r[0]); }, 'foreach' => function(&$r) { foreach ([1] as $r[0]); }, 'prop' => function(&$r) { $r[0]->x = 1; }, 'refto' => function(&$r) { $q = 1; $r[0] = &$q; },
];
foreach ($ops as $n => $op) foreach ([0, 1, 2] as $i) {
  $o = new C; C::$s = null;
  if ($i == 0) $r = &$o->n; elseif ($i == 1) $r = &C::$s; else $r = &$o->f;
  try { echo "$n $i: "; $op($r); echo json_encode($r), "\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
  unset($r, $o);
}
class S { public static ?int $s = null; public static bool $b = false; public static int $i; }
try { unset(S::$s[1]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { unset(S::$b[1]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { unset(S::$b[1][2]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { S::$b[1][2]++; } catch (Error $e) { echo $e->getMessage(), "\n"; }
S::$b = false;
try { S::$b[1] .= 'a'; } catch (Error $e) { echo $e->getMessage(), "\n"; }
S::$b = false;
$r = &S::$b;
try { S::$b[1] .= 'a'; } catch (Error $e) { echo $e->getMessage(), "\n"; }
S::$b = false;
try { S::$b[1] = 'a'; } catch (Error $e) { echo $e->getMessage(), "\n"; }
S::$b = false;
try { S::$b[1][2] .= 'a'; } catch (Error $e) { echo $e->getMessage(), "\n"; }
unset($r);
S::$b = false;
try { S::$b[1]->x = 'a'; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $x = &S::$b[1]; } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump(S::$b);
