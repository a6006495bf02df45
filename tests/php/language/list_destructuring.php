<?php
// list() and [] on arrays, null, scalars, strings, ArrayAccess and nested targets.
[$a, $b] = [1, 2]; echo "$a $b\n";
[, $b, , $d] = [1, 2, 3, 4]; echo "$b $d\n";
list('x' => $x, 'y' => list($y)) = ['y' => [5], 'x' => 4]; echo "$x $y\n";
[$a, $b, $c] = [1]; var_dump($a, $b, $c);
[$a] = null; var_dump($a);
[$a, $b] = 42; var_dump($a, $b);
[$a] = 'str'; var_dump($a);
[$a, [$b]] = [1, null]; var_dump($b);
[$a, $b] = [$b, $a]; 
$i = 0; $arr = [];
[$arr[$i++], $arr[$i++], $arr[$i++]] = ['a', 'b', 'c']; echo json_encode($arr), "\n";
[$a, $a] = [1, 2]; echo $a, "\n";
$a = [1, [2, 3]]; [$a, [$b, $c]] = $a; echo json_encode([$a, $b, $c]), "\n";
$a = [1, 2]; [$b, $a] = $a; var_dump($a, $b);
class AA implements ArrayAccess {
    function offsetExists($o): bool { echo "exists($o) "; return true; }
    function offsetGet($o): mixed { echo "get(" . var_export($o, true) . ") "; return "v$o"; }
    function offsetSet($o, $v): void { echo "set(" . var_export($o, true) . "=" . var_export($v, true) . ") "; }
    function offsetUnset($o): void {}
}
[$p, $q] = new AA; echo "$p $q\n";
['k' => $p] = new AA; echo "$p\n";
$aa = new AA; [$aa[0], $aa['x'], $aa[]] = [1, 2, 3]; echo "\n";
$o = new stdClass; [$o->a, $o->b] = [1, 2]; echo json_encode($o), "\n";
try { [$a] = new stdClass; } catch (Error $e) { echo $e->getMessage(), "\n"; }
class S { public static $s; } [S::$s] = ['static']; echo S::$s, "\n";
const KEY = 'kk'; [KEY => $kv, 'a' . 'b' => $ab] = ['kk' => 1, 'ab' => 2]; echo $kv, $ab, "\n";
$k = 'dyn'; [$k => $k, 'other' => $other] = ['dyn' => 'val', 'other' => 'o']; echo $k, $other, "\n";
[1 => $one, '2' => $two, true => $tr] = ['zero', 'one', 'two']; echo $one, $two, $tr, "\n";
$r = ([$m, $n] = [7, 8, 9]); echo count($r), "\n";
if ([$s, $t] = [0, 0]) echo "truthy\n";
while ([$hd, $rest] = $lst ?? ['h', null]) { echo $hd; if ($hd === 't') break; $lst = ['t', null]; } echo "\n";
function pair() { return ['l', 'r']; } [$l] = pair(); [, $rr] = pair(); echo $l . $rr, "\n";
list($q0, list(, $q1)) = [1, [2, 3]]; echo $q0 + $q1, "\n";
['missing' => $mm] = ['a' => 1]; var_dump($mm);
[$nul['deep']['er']] = ['set']; echo json_encode($nul), "\n";
[[$aa1], [$bb1]] = [[1], [2]]; [[$aa1, $bb1]] = [[$bb1, $aa1]]; echo $aa1, $bb1, "\n";
