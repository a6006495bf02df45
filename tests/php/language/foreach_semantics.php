<?php
// By value iterates over a copy, by reference over the live array.
$a = [1, 2, 3];
foreach ($a as $k => $v) { if ($k === 0) { $a[] = 4; unset($a[1]); } echo "$k=>$v "; }
echo "\n", json_encode($a), "\n";
$a = [1, 2, 3];
foreach ($a as $k => &$v) { if ($k < 3) $a[] = $v * 10; echo "$k=>$v "; }
unset($v);
echo "\n", json_encode($a), "\n";
$a = ['a' => 1, 'b' => 2, 'c' => 3];
foreach ($a as $k => &$v) { if ($k === 'a') unset($a['b']); echo "$k=>$v "; }
unset($v);
echo "\n";
$a = [1, 2, 3];
foreach ($a as $k => &$v) { if ($k === 1) { $a = ['x' => 'new', 'y' => 'arr']; } echo "$k=>", json_encode($v), ' '; }
unset($v);
echo "\n", json_encode($a), "\n";
foreach ([1, 2] as $a[]) ;
echo json_encode($a), "\n";
foreach (['p', 'q'] as $obj['k'] => $obj['v']) echo json_encode($obj), ' ';
echo "\n";
foreach ([] as $never) echo 'no'; var_dump(isset($never));
$empty = null;
foreach ($empty as $x) echo 'no';
foreach (5 as $x) echo 'no';
foreach ('str' as $x) echo 'no';
$o = new stdClass; $o->a = 1; $o->{'b c'} = 2; $o->{'3'} = 3;
foreach ($o as $k => $v) { var_dump($k); echo " $v\n"; if ($k === 'a') $o->later = 4; }
foreach ($o as $k => &$v) { $v = "$k!"; } unset($v);
print_r($o);
class P { public $pub = 1; protected $prot = 2; private $priv = 3; public readonly int $un; function each() { foreach ($this as $k => $v) echo "$k=$v "; echo "\n"; } }
class Q extends P { private $own = 4; function each2() { foreach ($this as $k => $v) echo "$k=$v "; echo "\n"; } }
$q = new Q; foreach ($q as $k => $v) echo "$k=$v "; echo "\n"; $q->each(); $q->each2();
$a = [1, 2, 3]; current($a); next($a);
foreach ($a as $v) {} var_dump(current($a));
$b = [10, 20, 30];
foreach ($b as $i => $v) { foreach ($b as $w) { if ($w > $v) break; echo $v, $w, ' '; if ($w === 20) continue 2; } }
echo "\n";
foreach ($b as $i => $i) echo $i, ' '; echo "\n";
$copy = $b; foreach ($copy as &$r) $r++; unset($r); echo json_encode([$b, $copy]), "\n";
function gen() { try { yield 'k' => 'v'; yield 'k' => 'w'; } finally { echo "gen closed\n"; } }
foreach (gen() as $k => $v) { echo "$k $v\n"; break; }
echo "after\n";
foreach ([[1, [2, 3]], [4, [5, 6]]] as [$x, [, $y]]) echo $x + $y, ' '; echo "\n";
foreach ([['id' => 7, 'n' => 'seven']] as ['id' => $id, 'n' => $n]) echo $id, $n, "\n";
$i = 0; foreach ([3, 2, 1] as $i => $n) { } echo $i, $n, "\n";
