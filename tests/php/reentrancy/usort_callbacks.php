<?php
// Comparison callbacks that modify, unset, read or replace the array, throw, or return odd values.
$a = [3, 1, 2]; usort($a, function ($x, $y) use (&$a) { echo is_array($a) ? count($a) : $a, ' '; $a = 'touched'; return $x <=> $y; }); echo json_encode($a), "\n";
$g = [3, 1, 2]; usort($GLOBALS['g'], function ($x, $y) { unset($GLOBALS['g']); return $x <=> $y; }); var_dump($g ?? 'unset'); $b = [3, 1, 2]; try { usort($b, function ($x, $y) { throw new Exception('cmp'); }); } catch (Exception $e) { echo $e->getMessage(), json_encode($b), "\n";
} $c = [3, 1, 2]; $n = 0; try { uasort($c, function ($x, $y) use (&$n) { if (++$n == 2) throw new Exception("at $n"); return $x <=> $y; }); } catch (Exception $e) { echo $e->getMessage(), json_encode($c), "\n";
} $d = [5, 3, 4, 1]; usort($d, fn($x, $y) => $x > $y); echo json_encode($d), "\n";
usort($d, fn($x, $y) => 0); echo json_encode($d), "\n";
usort($d, fn($x, $y) => '1.9'); echo json_encode($d), "\n";
usort($d, fn($x, $y) => $x - $y + 0.5); echo json_encode($d), "\n";
usort($d, fn($x, $y) => null); echo json_encode($d), "\n";
$e = ['b' => 1, 'a' => 2]; uksort($e, function ($x, $y) use (&$e) { $e['new'] = 1; return strcmp($x, $y); }); echo json_encode($e), "\n";
$f = [[2], [1]]; usort($f, function (array $x, array $y) { $x[] = 'changed'; sort($y); return $x[0] <=> $y[0]; }); echo json_encode($f), "\n";
$r1 = 3; $r2 = 1; $h = [&$r1, &$r2]; usort($h, function (&$x, &$y) { $x .= ''; return $x <=> $y; }); echo json_encode($h), "\n";
$nested = [[3, 1], [2, 9]]; usort($nested, function ($x, $y) { usort($x, fn($p, $q) => $p <=> $q); usort($y, fn($p, $q) => $p <=> $q); return $x[0] <=> $y[0]; }); echo json_encode($nested), "\n";
class O { public $l = [2, 1, 3]; function s() { usort($this->l, function ($a, $b) { $this->l = [99]; return $a <=> $b; }); return $this->l; } } echo json_encode((new O)->s()), "\n";
class Cmp { function __construct(public $v) {}
function __destruct() { echo "~{$this->v} "; } } $o = [new Cmp(2), new Cmp(1)]; usort($o, function ($x, $y) { global $o; $o = null; return $x->v <=> $y->v; }); echo json_encode($o), "\n";
$o = null; echo "\n";
$w = [3, 2, 1]; array_multisort($w); usort($w, fn($a, $b) => [$b, $a] <=> [$a, $b]); echo json_encode($w), "\n";
$big = range(1, 40); usort($big, function ($a, $b) use (&$big) { $big[] = 1; return $b - $a; }); echo count($big), $big[0], $big[39], "\n";
$gen = function () { $t = [3, 1, 2]; usort($t, function ($a, $b) { return $a <=> $b; }); yield from $t; }; foreach ($gen() as $v) echo $v; echo "\n";
set_error_handler(function ($n, $m) { echo "[$m] "; return true; }); $s = [3, [1], 'x', null, 2.5]; usort($s, fn($a, $b) => "$a" <=> "$b"); echo json_encode($s), "\n";
$z = [2, 1]; usort($z, fn($a, $b) => $undef); echo json_encode($z), "\n";
