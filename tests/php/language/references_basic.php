<?php
// Reference sets: assignment, arrays, functions, unset, globals and statics.
$a = 1; $b = &$a; $b = 2; var_dump($a);
unset($b); $b = 3; var_dump($a);
$x = [1, 2, 3]; $y = &$x[1]; $z = $x; $z[1] = 'shared'; var_dump($x[1]);
unset($y); unset($z); $w = $x; $w[1] = 'own'; var_dump($x[1]);
function add(array &$arr, $v) { $arr[] = $v; }
function addn(?array &$arr, $v) { $arr[] = $v; }
addn($undef, 1); var_dump($undef);
try { add($undef2, 1); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
var_dump($undef2);
function r1(&$r) {}
r1($new['a']['b']); var_dump($new);

$o = new stdClass; r1($o->prop); var_dump($o);
function &gref() { static $s = 0; return $s; }
$g = &gref(); $g++; $g++; var_dump(gref());
$h = gref(); $h += 10; var_dump(gref());
function &bad() { return 5; }
$q = &bad(); var_dump($q);
function nonref() { return 7; }
$q = &nonref(); var_dump($q);
$arr = [1, 2, 3];
foreach ($arr as &$v) { $v *= 2; } 
foreach ($arr as $v) {} 
var_dump($arr);
unset($v);
$p = ['a' => ['b' => 1]]; $ref = &$p['a']['b']; $copy = $p; $ref = 9; var_dump($copy['a']['b'], $p['a']['b']);
function globl() { global $gl; $gl = 5; unset($gl); var_dump(isset($gl)); global $gl; var_dump($gl); }
globl(); var_dump($gl);
function swap(&$a, &$b) { [$a, $b] = [$b, $a]; }
$m = 1; $n = 2; swap($m, $n); var_dump($m, $n);
$s = 's'; $t = &$s; $u = &$t; $u .= 'x'; var_dump($s, $t);
$self = [1]; $self['me'] = &$self; var_dump(count($self), count($self['me']['me']));
function defref(&$a = 5) { $a++; return $a; } var_dump(defref());
class C { public $v = [1]; function &get() { return $this->v; } public static $st = 1; }
$c = new C; $vr = &$c->get(); $vr[] = 2; var_dump($c->v);
$sr = &C::$st; $sr = 'changed'; var_dump(C::$st);
$cl = clone $c; $cl->v[] = 3; var_dump(count($c->v));
$str = 'abc'; try { $sref = &$str[0]; } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
