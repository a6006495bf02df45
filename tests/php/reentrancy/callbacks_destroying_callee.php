<?php
// Callables that unset the closure, object or function variable they run in.
$f = function () use (&$f) { $f = null; return 'alive: ' . json_encode(func_get_args()); }; echo $f(1), "\n";
var_dump($f); class O { public $cb; public $v = 'v'; function __construct() { $this->cb = function () { $this->cb = null; $GLOBALS['o'] = null; return $this->v; }; }
function run() { $GLOBALS['o'] = null; return $this->v . ($this->cb)(); }
function __destruct() { echo '~O '; } } $o = new O; echo $o->run(), "\n";
$o = new O; echo ($o->cb)(), "\n";
$a = ['x' => function () { global $a; unset($a['x']); $a = 'gone'; return 'still running'; }]; echo $a['x'](), "\n";
var_dump($a); $fn = 'strrev'; $r = $fn(($fn = 'strtoupper') . ''); echo $r, "\n";
$g = (function () { global $g; $g = null; yield 1; yield 2; })(); foreach ($g as $v) echo $v; var_dump($g); class M { function __call($n, $a) { global $m; $m = null; return "$n on " . get_class($this); }
function __destruct() { echo '~M '; } } $m = new M; echo $m->foo($m), "\n";
$m = new M; echo call_user_func([$m, 'bar']), "\n";
$m = new M; echo [$m, 'baz'](), "\n";
$m = new M; $fc = $m->qux(...); $m = null; echo $fc(), "\n";
unset($fc); class Inv { function __invoke($x) { global $inv; $inv = null; return $x * 2; }
function __destruct() { echo '~Inv '; } } $inv = new Inv; echo $inv(4), "\n";
$inv = new Inv; echo json_encode(array_map($inv, [1, 2])), "\n";
$inv = new Inv; usort_it(); function usort_it() { $l = [3, 1]; usort($l, function ($a, $b) { global $inv; $inv = null; return $a <=> $b; }); echo json_encode($l), "\n";
} $rec = function ($n) use (&$rec) { if ($n === 0) { $rec = null; return 'bottom'; } return $rec($n - 1) . $n; }; echo $rec(3), "\n";
set_error_handler($h = function ($n, $m) { global $h; $h = null; restore_error_handler(); echo "[handled $m] "; return true; }); echo $undef1; $h = null; echo @$undef2; echo "\n";
spl_autoload_register($al = function ($c) { global $al; spl_autoload_unregister($al); $al = null; echo "load $c "; }); var_dump(class_exists('Foo1'), class_exists('Foo2')); register_shutdown_function($sd = function () { global $sd; $sd = null; echo "shutdown\n"; }); $st = function () { static $n = 0; global $st; $st = null; return ++$n; }; $st2 = $st; echo $st(), $st2(), "\n";
$args = [1, 2, 3]; echo (function (...$x) { global $args; $args = null; return array_sum($x); })(...$args), "\n";
function byref(&$p) { unset($GLOBALS['bv']); $p = 'x'; return $p; } $bv = 1; echo byref($bv), isset($bv) ? 'set' : 'unset', "\n";
$arr = [1, 2]; function byrefel(&$p, &$q) { global $arr; $arr = []; $p = 'P'; $q = 'Q'; return $p . $q; } echo byrefel($arr[0], $arr[1]), json_encode($arr), "\n";
function defret() { try { return $GLOBALS['gl']; } finally { $GLOBALS['gl'] = 'overwritten'; } } $gl = ['orig']; echo json_encode(defret()), "\n";
class Del { public $items = [1, 2, 3]; function each($f) { foreach ($this->items as $i) $f($i); } } $del = new Del; $del->each(function ($i) use (&$del) { echo $i; $del = null; }); echo "\n";
ob_start($obcb = function ($b) { global $obcb; $obcb = null; return "<$b>"; }); echo 'buf'; $obcb = null; ob_end_flush(); echo "\n";
