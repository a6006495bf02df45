<?php
// Locals that become references, globals, statics and by-reference arguments in compiled code.
function byRef(&$x, $n) { for ($i = 0; $i < $n; $i++) $x += $i; return $x; } $v = 0;
var_dump(byRef($v, 2000), $v); $v = '5';
var_dump(byRef($v, 10)); $f = 0.5; byRef($f, 1000);
var_dump($f); $a = ['k' => 1]; byRef($a['k'], 1500); byRef($a['new'], 3);
var_dump($a);
function late($n) { $x = 0; $r = null; for ($i = 0; $i < $n; $i++) { $x++; if ($i === 1000) $r = &$x; if ($i === 1200) $r = 'str'; if ($i === 1300) $r = 5; } return [$x, $r]; } echo json_encode(late(1500)), "\n";
function glob_($n) { global $g; for ($i = 0; $i < $n; $i++) { $g = $g + 1; if ($i === 900) $GLOBALS['g'] = 10.5; if ($i === 950) { unset($GLOBALS['g']); } } return $g; } $g = 0;
var_dump(glob_(1000), isset($GLOBALS['g']));
function stat_($n) { static $s = 0; for ($i = 0; $i < $n; $i++) $s += $i & 1; return $s; } var_dump(stat_(1000), stat_(1000), stat_(1));
function closure($n) { $x = 1; $inc = function () use (&$x) { $x++; if ($x === 500) $x = 'five hundred'; elseif (!is_int($x)) $x = 501; }; for ($i = 0; $i < $n; $i++) $inc(); return $x; } var_dump(closure(1000));
function swap(&$p, &$q) { $t = $p; $p = $q; $q = $t; } $p = 1; $q = 'q'; for ($i = 0; $i < 1001; $i++) swap($p, $q);
var_dump($p, $q);
function eachRef(array $a) { foreach ($a as $k => &$v) { $v *= 2; if ($k === 500) $v = 'str'; } unset($v); return $a; } $r = eachRef(range(0, 1000));
var_dump($r[499], $r[500], $r[1000]);
class T { public int $i = 0; public $m = 0; public static int $s = 0; } $t = new T; $ri = &$t->i; for ($i = 0; $i < 1500; $i++) { $ri++; $t->i += 2; } var_dump($t->i); try { for ($i = 0; $i < 1500; $i++) { $ri = $i < 1400 ? "$i" : 'bad'; } } catch (TypeError $e) { echo $e->getMessage(), ' ', $t->i, "\n"; } function propRef(T $t, $n) { $r = &$t->m; for ($i = 0; $i < $n; $i++) { $t->m = $i; $r .= 'x'; if (strlen($t->m) > 3) $c = ($c ?? 0) + 1; } return [$t->m, $c ?? 0]; } echo json_encode(propRef($t, 1100)), "\n";
function sp($n) { $r = &T::$s; for ($i = 0; $i < $n; $i++) { T::$s += 1; $r += 1; } return T::$s; } var_dump(sp(1000));
function extractLoop($n) { $s = 0; for ($i = 0; $i < $n; $i++) { extract(['x' => $i]); $name = 'y'; $$name = $x + 1; $s += $y; unset($x); } return $s; } var_dump(extractLoop(1200));
function arrRef($n) { $a = [0]; $b = &$a[0]; for ($i = 0; $i < $n; $i++) { $c = $a; $c[0]++; $a[] = $b; } return [count($a), $b, $a[5]]; } echo json_encode(arrRef(800)), "\n";
function variadic(&...$xs) { foreach ($xs as &$x) $x++; } $x = $y = 0; for ($i = 0; $i < 900; $i++) variadic($x, $y);
var_dump($x + $y);
function retRef(array &$a, $k): int { return $a[$k]; } function &realRef(array &$a, $k) { return $a[$k]; } $z = [1]; for ($i = 0; $i < 700; $i++) { $w = &realRef($z, 0); $w += retRef($z, 0) > 1e6 ? 0 : 1; unset($w); } var_dump($z);
