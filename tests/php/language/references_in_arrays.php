<?php
// References inside arrays survive copies while their count is above one.
$a = [1, 2]; $r = &$a[0];
$b = $a; $b[0] = 10; $b[1] = 20;
var_dump($a, $b);
unset($r);
$c = $a; $c[0] = 'c';
var_dump($a[0], $b[0]);
unset($b, $c);
$d = $a; $d[0] = 'd'; var_dump($a[0]);
function f($arr) { $arr[0] = 'in f'; }
$z = [1]; $zr = &$z[0]; f($z); var_dump($z[0]);
unset($zr); f($z); var_dump($z[0]); f($z);
$m = [[1, 2], [3, 4]];
foreach ($m as &$row) foreach ($row as &$cell) $cell *= 10;
unset($row, $cell);
echo json_encode($m), "\n";
$x = ['k' => 'v']; $y = &$x; $y['k2'] = 'v2'; $y2 = $y; $y2['k3'] = 1; echo json_encode($x), "\n";
$list = [&$x, 1, &$x]; $list[0] = 'over'; var_dump($x, $list[2]);
$nested = [1, [2, 3]];
[$p, [, &$q]] = $nested; $q = 'Q'; echo json_encode($nested), "\n";
['a' => &$ra, 'b' => ['c' => &$rc]] = $auto; $ra = 1; $rc = 2; echo json_encode($auto), "\n";
foreach ($pairs = [[1, 2], [3, 4]] as [$u, $v]) echo "$u-$v ";
echo "\n";
foreach ($nested2 = [[1, 2], [3, 4]] as $k => [&$u2, $v2]) { $u2 .= 'x'; }
$src = [[1, 2], [3, 4]];
foreach ($src as [&$u3, $v3]) { $u3 = "$u3$v3"; }
unset($u3);
echo json_encode($src), "\n";
$arr1 = [1]; $arr1[] = &$arr1[0]; $arr1[0]++; var_dump($arr1);
$w = ['a' => 1]; $wref = &$w['zz']; var_dump($w); unset($wref); var_dump($w);
$s = [3, 1, 2]; $sr = &$s[0]; sort($s); $sr = 'X'; var_dump($s);
$e = [1, 2, 3]; $er = &$e[1]; var_dump(array_slice($e, 1, 1), array_merge($e, [4]), array_values($e) === $e);

// Unsetting what is not there separates the array, too.
$element = &$around[''];
$element = $around;
unset($element[1]);
var_dump($around);
