<?php
// Variables are read late, temporaries early.
function chg() { global $a; $a = 'changed'; return '-'; }
$a = 'orig';
echo $a . chg() . $a, "\n";
$a = 'orig';
echo ($a . '') . chg() . $a, "\n";
$a = 10;
function inc() { global $a; $a++; return 1; }
echo $a + inc(), "\n";
$a = 10;
echo inc() + $a, "\n";
$a = 10;
echo -$a + inc(), "\n";
$a = [1, 2, 3];
function setz() { global $a; $a[0] = 'z'; return 0; }
echo $a[setz()], "\n";
$a = [1, 2, 3];
echo $a[0] . setz(), "\n";
function g($x, $y) { var_dump($x, $y); }
$i = 1;
g($i, $i = 2);
$i = 1;
g($i++, $i);
$i = 1;
g([$i, $i++, $i], "$i" . ++$i);
$x = 1;
$y = [$x, &$x, $x = 5];
var_dump($y);
$m = 3;
$r = $m-- - --$m;
var_dump($r, $m);
$k = 'a';
$arr = ['a' => 1, 'b' => 2];
$arr[$k] += ($k = 'b') ? 10 : 0;
var_dump($arr);
$f = 'strtoupper';
echo $f(($f = 'strrev') . 'x'), "\n";
class A { public $v = 1; function set($v) { $this->v = $v; return $this; } }
$o = new A;
echo $o->v + $o->set(5)->v, "\n";
echo $o->set(7)->v + $o->v, "\n";
$o2 = $o;
$o->v = ($o = new A)->v + 100;
var_dump($o2->v, $o->v);
