<?php
function d($a) { echo json_encode($a), "\n"; }
$a = [0, 1, 2]; unset($a[2]); unset($a[1]); $a[1] = 5; $a[] = 'n'; d($a);
$a = [0, 1, 2]; unset($a[2]); $a[2] = 5; $a[] = 'n'; d($a);
$a = [0, 1, 2]; unset($a[2], $a[1]); $a[] = 'n'; d($a);
$a = [0, 1, 2, 3]; array_pop($a); unset($a[2]); $a[2] = 1; $a[] = 'n'; d($a);
$a = range(0, 9); for ($i = 9; $i > 3; $i--) unset($a[$i]); $a[5] = 'x'; $a[] = 'n'; d($a);
$a = []; for ($i = 0; $i < 5; $i++) $a[] = $i; unset($a[4]); unset($a[3]); $a[3] += 1; $a[] = 'n'; d($a);
$a = []; for ($i = 0; $i < 5; $i++) $a[$i] = $i; unset($a[4]); unset($a[3]); $a[3] = 1; $a[] = 'n'; d($a);
$a = []; for ($i = 0; $i < 5; $i++) $a[$i] = $i; unset($a[4]); unset($a[3]); $a[4] = 1; $a[] = 'n'; d($a);
$a = [2 => null]; unset($a[2]); $a[1] = 1; $a[] = 'n'; d($a);
$a = [5 => null]; unset($a[5]); $a[1] = 1; $a[] = 'n'; d($a);
$a = [50 => null]; unset($a[50]); $a[1] = 1; $a[] = 'n'; d($a);
$a = ['a' => 1, 5 => 2]; unset($a[5]); $a[1] = 1; $a[] = 'n'; d($a);
$a = [3 => 1, 1 => 2]; unset($a[3]); $a[2] = 1; $a[] = 'n'; d($a);
$a = [-5 => 1]; unset($a[-5]); $a[0] = 1; $a[] = 'n'; d($a);
$a = [0, 1, 2]; foreach ($a as $k => &$v) { unset($a[$k]); } unset($v); $a[1] = 5; $a[] = 'n'; d($a);
$a = [0, 1, 2]; unset($a[2]); unset($a[1]); $r = &$a[1]; $a[] = 'n'; d($a);
$a = [0, 1, 2]; unset($a[2]); unset($a[1]); [$a[1]] = [4]; $a[] = 'n'; d($a);
$a = [0, 1, 2]; unset($a[2]); unset($a[1]); $a[1][0] = 4; $a[] = 'n'; d($a);
$a = [0, 1, 2]; unset($a[2]); unset($a[1]); $a['1'] = 4; $a[] = 'n'; d($a);
$a = [0, 1, 2]; unset($a[0]); unset($a[1]); unset($a[2]); $a[1] = 4; $a[] = 'n'; d($a);
$a = [0, 1, 2]; unset($a[0]); unset($a[1]); unset($a[2]); $a[0] = 4; $a[] = 'n'; d($a);
$a = [0, 1, 2]; unset($a[0]); unset($a[1]); unset($a[2]); $a[] = 'n'; d($a);
$a = [0, 1, 2]; unset($a[0]); unset($a[1]); unset($a[2]); $a['x'] = 'n'; $a[1] = 1; $a[] = 'm'; d($a);
$a = [0, 1, 2]; unset($a[2]); unset($a[1]); $b = $a; $b[1] = 4; $b[] = 'n'; d($b);
$a = [0, 1, 2]; unset($a[2]); unset($a[1]); $a[9] = 4; unset($a[9]); $a[1] = 3; $a[] = 'n'; d($a);
$a = [0, 1, 2]; unset($a[2]); unset($a[1]); $a[99] = 4; unset($a[99]); $a[1] = 3; $a[] = 'n'; d($a);
