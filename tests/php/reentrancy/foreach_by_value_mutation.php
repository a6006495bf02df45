<?php
// Bodies that change, unset, shrink, grow or overwrite the array they iterate by value.
$a = [1, 2, 3]; foreach ($a as $v) { $a[] = $v; echo $v; } echo count($a), "\n";
$a = [1, 2, 3]; foreach ($a as $k => $v) { unset($a[$k]); echo $v; } echo count($a), "\n";
$a = [1, 2, 3]; foreach ($a as $v) { $a = 'string'; echo $v; } var_dump($a); $a = [1, 2, 3]; foreach ($a as $a) { echo $a; } var_dump($a); $a = ['x' => [1, 2], 'y' => [3]]; foreach ($a as $k => $row) { foreach ($row as $v) { unset($a[$k], $row); echo $v; } } var_dump($a); $a = [3 => 'x', 1 => 'y']; foreach ($a as $k => $v) { ksort($a); array_unshift($a, 'n'); echo $k, $v, ' '; } echo json_encode($a), "\n";
function &gref() { static $arr = [1, 2, 3]; return $arr; } foreach (gref() as $v) { $r = &gref(); $r = [9]; echo $v; } echo json_encode(gref()), "\n";
$r = &$b; $b = [1, 2]; foreach ($b as $v) { $r[] = $v * 10; echo $v; } echo json_encode($b), "\n";
$o = new stdClass; $o->list = [1, 2, 3]; foreach ($o->list as $k => $v) { unset($o->list); echo $v; } var_dump($o); class H { public $items = ['a', 'b']; function run() { foreach ($this->items as $i => $v) { $this->items = null; echo $v; } } } (new H)->run(); echo "\n";
$GLOBALS['g'] = [1, 2]; foreach ($GLOBALS['g'] as $v) { unset($GLOBALS['g']); echo $v; } echo isset($g) ? 'set' : 'unset', "\n";
$a = [1, 2, 3, 4]; foreach ($a as $k => $v) { foreach ($a as $k2 => $v2) { if ($k2 == $k) unset($a[$k2]); } echo $k, count($a), ' '; } echo "\n";
$s = [[1, 2], [3, 4]]; foreach ($s as [$x, $s]) { echo json_encode([$x, $s]); } echo "\n";
foreach ([1, 2, 3] as $GLOBALS['it']) { echo $it; unset($GLOBALS['it']); } var_dump(isset($it)); function gen() { global $ga; foreach ($ga as $v) { yield $v; } } $ga = [1, 2, 3]; foreach (gen() as $v) { $ga = []; echo $v; } echo "\n";
static $st = [1, 2]; foreach ($st as $v) { $st[] = 1; if (count($st) > 10) break; echo $v; } echo "\n";
$d = ['k' => 'v']; foreach ($d as $d['new'] => $d['val']) { } echo json_encode($d), "\n";
$n = [1, 2]; foreach ($n as $n[1]) { echo json_encode($n); } echo "\n";
