<?php
// What foreach hands to places and lists: a list takes its elements from a reference, which its targets may change.
$x = 1; $src = [&$x, 2];
$o = new stdClass; $a = []; class S { static $s; public int $t = 0; }
foreach ($src as $o->p) {} $x = 5; var_dump($o); foreach ($src as $a[]) {} $x = 6; var_dump($a); foreach ($src as S::$s) { $x = 7; var_dump(S::$s); } $n = 'vv'; foreach ($src as $$n) { $x = 8; var_dump($vv); }
$t = new S; foreach ($src as $t->t) { $x = 9; var_dump($t->t); } foreach ($src as $k => $a['k'][0]) { $x = 10; } var_dump($a);
foreach ([&$x] as $GLOBALS['zz']) { $x = 11; } var_dump($zz);
$arr = [1, 2]; $src = [&$arr]; foreach ($src as [$p, $q]) { var_dump($p, $q); } foreach ($src as ['0' => $p, 1 => $arr]) { var_dump($p, $arr); }
$arr = [1, 2]; foreach ($src as [$arr, $q]) { var_dump($arr, $q); } var_dump($src);
function f($arr) { $src = [&$arr]; foreach ($src as [$arr, $q]) { var_dump($arr, $q); } foreach ([[1, 2], [3, 4]] as [$p, $q]) echo $p + $q; $m = [[1, 2], [3, 4]]; foreach ($m as &$mm) {} foreach ($m as [$p, $q]) echo $p + $q; }
f([1, 2]);
class M { function __set($n, $v) { var_dump($v); } } $mo = new M; $x = 12; foreach ([&$x] as $mo->zz) {}
class AO implements ArrayAccess { function offsetSet($o, $v): void { var_dump($o, $v); } function offsetGet($o): mixed {} function offsetExists($o): bool {} function offsetUnset($o): void {} } $ao = new AO; foreach ([&$x] as $ao[3]) {} foreach ([&$x] as $k => $ao[]) {}
$s = 'abc'; $c = 'Z'; foreach ([&$c] as $s[1]) {} var_dump($s);
$b = 1;
foreach ([&$g] as [$g[2], $g]) { }
var_dump($g);
foreach ([[1, 2]] as [$h[2], $h]) { } var_dump($h);
$x = [1, 2]; foreach ([&$x] as [$x, $x]) {} var_dump($x);
$x = [[1, 2]]; foreach ($x as [$x[0], $x]) {} var_dump($x);
$x = [1, 2]; $q = [&$x]; foreach ($q as [$x[7], $x[8]]) {} var_dump($x, $q);
$x = [1, 2]; [$x[7], $x[8]] = $x; var_dump($x);
$x = [1, 2]; $y = &$x; [$x[7], $x[8]] = $x; var_dump($x);
$x = [1, 2]; $y = &$x; [$x[7], $x[8], $y[0]] = $y; var_dump($x);
$x = [1, 2]; $q = [&$x]; [$x[7], $x[8]] = $q[0]; var_dump($x);
$x = null; $q = [&$x]; [$x[7], $x[8]] = $q[0]; var_dump($x);
$x = null; $y = &$x; [$x[7], $x[8]] = $y; var_dump($x);
$o = new stdClass; $o->x = [1, 2]; [$o->x[3], $o->x[4]] = $o->x; var_dump($o);
$o = new stdClass; $o->x = null; [$o->x[3], $o->x[4]] = $o->x; var_dump($o);
$g = null; foreach ([&$g] as [$g[2], $g]) { } var_dump($g);
$g = null; foreach ([&$g] as [$g[2], $g[3]]) { } var_dump($g);
$g = null; foreach ([&$g] as [[$g[2]], $g[3]]) { } var_dump($g);
