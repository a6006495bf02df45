<?php
// An undefined index handler that destroys the array being read.
set_error_handler(function ($n, $m) { echo "[$m] "; unset($GLOBALS['a']); return true; });
$a = ['x' => 1]; var_dump($a['nope']); var_dump(isset($a));
$a = ['x' => [1]]; var_dump($a['x']['nope']); var_dump(isset($a));
$a = [1, 2]; var_dump($a[99] ?? 'quiet'); var_dump(isset($a));
$a = ['k' => ['l' => 1]]; echo json_encode([$a['k']['l'], $a['zz'], $a ?? 'gone']), "\n";
function f() { $a = ['l' => 1]; $GLOBALS['a'] = &$a; $r = $a['q']; var_dump($r, $a); } f();
