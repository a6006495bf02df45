<?php
// Order in which operands, subscripts and arguments are evaluated.
function t($name, $value = null) { echo $name, ' '; return $value ?? $name; }

echo t('a', 1) + t('b', 2) * t('c', 3), "\n";
echo (t('a', 1) + t('b', 2)) * t('c', 3), "\n";
echo t('x') . t('y') . t('z'), "\n";
$a = [];
$a[t('k1')] = t('v1');
$a[t('k2')][t('k3')] = t('v2');
echo "\n";
print_r($a);

$i = 1;
echo $i + $i++, "\n";
$i = 1;
echo $i++ + $i, "\n";
$i = 1;
echo $i + $i + $i++, "\n";
$i = 2;
$b = [0, 0, 0, 0, 0];
$b[$i] = $i++;
print_r($b);
$i = 2;
$b[$i++] = $i++;
print_r($b);

class O { public $p; public function __get($n) { echo "get $n "; return $this; } public function m(...$a) { echo "m(", implode(',', $a), ") "; return $this; } }
$o = new O;
$o->m(t('1'), t('2'))->m(t('3'));
echo "\n";
$o->{t('dyn')}->m(t('arg'));
echo "\n";
t('f') === t('g') || t('h');
echo "\n";
var_dump(t('l', false) && t('r', true));
var_dump(t('l', true) xor t('r', true));
echo t('c', 0) ?: t('d'), "\n";
echo t('c', 1) ? t('yes') : t('no'), "\n";

$arr = ['x' => ['y' => 5]];
echo $arr[t('x')][t('y')] ?? t('never'), "\n";
echo $arr[t('q')][t('y')] ?? t('default'), "\n";
function &r(array &$z, $k) { echo "ref($k) "; return $z[$k]; }
$z = ['m' => 1, 'n' => 2];
r($z, t('m')) ;
$q = &r($z, 'n');
$q = 99;
echo json_encode($z), "\n";
list($p[t('i0')], $p[t('i1')]) = [t('e0'), t('e1')];
echo json_encode($p), "\n";
[$u[t('a')], [$u[t('b')]]] = [1, [2]];
echo json_encode($u), "\n";
$n = 5;
$n += $n++ + ++$n;
echo $n, "\n";
$s = 'x';
$s .= $s .= 'y';
echo $s, "\n";
$v = $w = $x = t('chain');
echo $v, $w, $x, "\n";
[t('p1'), t('p2') => t('v2'), ...[t('sp')]];
echo "\n";
new class(t('arg')) { function __construct($a) { echo "ctor($a)\n"; } };
