<?php
// $GLOBALS, global, extract, compact and variable variables changed in the middle of their use.
function f1() { global $g; $g = 1; unset($GLOBALS['g']); $g = 2; return isset($GLOBALS['g']) ? 'visible' : 'detached'; } echo f1(), isset($g) ? 1 : 0, "\n";
function f2() { $GLOBALS['n'] = 1; global $n; $GLOBALS['n'] = 5; return $n; } echo f2(), "\n";
$v = 'x'; foreach ($GLOBALS as $k => $val) { if ($k === 'v') { $GLOBALS['added_in_loop'] = 1; unset($GLOBALS['v']); } } echo isset($v) ? 'set' : 'unset', isset($added_in_loop) ? 'added' : '', "\n";
function f3() { $a = 1; $b = 2; extract(['a' => 'A', 'fresh' => 'F']); unset($b); return array_keys(get_defined_vars()); } echo json_encode(f3()), "\n";
function f4($name) { $local = 'l'; $$name = 'set'; $r = &$$name; $r = 'by ref'; unset($$name); return compact('local') + ['r' => $r, 'isset' => isset($$name)]; } echo json_encode(f4('dynamic')), json_encode(f4('local')), "\n";
function f5() { $x = 1; $f = function () use (&$x) { $x = 'closure'; return get_defined_vars(); }; extract(['x' => 'extracted'], EXTR_REFS); $f(); return $x; } echo f5(), "\n";
function f6() { $i = 0; eval('$i++; $new = "ev"; $f = fn() => $i;'); return [$i, $new, $f()]; } echo json_encode(f6()), "\n";
function f7() { foreach (['a', 'b'] as $n) { global $$n; $$n = "g$n"; } return [$a, $b]; } echo json_encode(f7()), $a, $b, "\n";
function f8() { $arr = ['k' => 1]; extract($arr, EXTR_REFS); $arr = null; $k = 'kept'; return compact('k', 'arr'); } echo json_encode(f8()), "\n";
set_error_handler(function ($no, $m) { extract(['leak' => 1]); global $ctx; $ctx = $m; $GLOBALS['undefd'] = 'now defined'; return true; }); echo $undefd . 'x', $undefd, "\n";
echo json_encode(compact('nope1', ['nope2'])), "\n";
function f9() { $$undefname = 5; return array_keys(get_defined_vars()); } echo json_encode(f9()), "\n";
function f10() { include __DIR__ . '/inc/vars.php'; return isset($fromFile, $GLOBALS['inGlobals']) ? $fromFile . $inGlobals2 = 'x' : 'no'; } echo f10(), "\n";
$list = [1, 2]; function f11() { $list = &$GLOBALS['list']; foreach ($list as $k => $v) { $GLOBALS['list'] = 'rebound'; } return $list; } echo json_encode(f11()), json_encode($list), "\n";
function &f12() { return $GLOBALS['made']; } $m = &f12(); $m = 'through'; echo $made, "\n";
function f13(array $GLOBALS2) { return $GLOBALS2['v2'] ?? 'no'; } $v2 = 'v2'; echo f13($GLOBALS), "\n";
$copy = $GLOBALS; $copy['v2'] = 'changed copy'; echo $v2, count($copy) > 5 ? 'y' : 'n', "\n";
static $top = 1; unset($top); echo isset($top) ? 1 : 0, "\n";
function f14() { static $s = 1; unset($s); $s = 'local'; return $s; } echo f14(), f14(), "\n";
$this_is = 'ok'; $nm = 'this'; try { $$nm = 5; echo 'assigned '; } catch (Error $e) { echo $e->getMessage(), ' '; } try { extract(['this' => 1]); echo "skipped\n"; } catch (Error $e) { echo $e->getMessage(), "\n";
}
class C { function m() { $n = 'this'; return get_class($$n); }
function e() { try { extract(['this' => 1]); return 'kept ' . get_class($this); } catch (Error $e) { return $e->getMessage(); } } } echo (new C)->m(), (new C)->e(), "\n";
