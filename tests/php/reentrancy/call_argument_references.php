<?php
// Arguments passed by reference while callee, handler or other arguments rebind what they refer to.
function two(&$a, &$b) { $a = 'A'; $b = 'B'; return [$a, $b]; } $x = 1; echo json_encode(two($x, $x)), $x, "\n";
$arr = ['p' => 1]; echo json_encode(two($arr['p'], $arr['q'])), json_encode($arr), "\n";
$arr = []; echo json_encode(two($arr[], $arr[])), json_encode($arr), "\n";
function drop(&$a) { unset($GLOBALS['arr2']); $a = 'kept alive'; return $a; } $arr2 = ['k' => 'v']; echo drop($arr2['k']), isset($arr2) ? 1 : 0, "\n";
function reassign(&$a, $v) { $GLOBALS['t'] = 'other'; $a = $v; return $GLOBALS['t']; } $t = 't'; echo reassign($t, 'new'), $t, "\n";
function grow(array &$a, &$el) { for ($i = 0; $i < 50; $i++) $a[] = $i; $el = 'element'; return count($a); } $g = ['x' => 1]; echo grow($g, $g['x']), $g['x'], "\n";
$o = new stdClass; $o->p = 1; function dropo(&$p) { global $o; $o = null; $p = 'still'; return $p; } echo dropo($o->p), var_export($o, true), "\n";
function &retel(array &$a, $k) { return $a[$k]; } $r = ['a' => 1]; $el = &retel($r, 'a'); unset($r['a']); $el = 5; echo json_encode($r), $el, "\n";
class Obj { public $l = [1, 2]; public ?int $typed = 1; function &get() { return $this->l; }
function take(&$x) { $this->l = ['gone']; $x[] = 'pushed'; return json_encode($x); } } $ob = new Obj; echo $ob->take($ob->l), json_encode($ob->l), "\n";
$ob = new Obj; echo $ob->take($ob->get()), json_encode($ob), "\n";
function setbad(&$t) { $t = 'not an int'; } try { setbad($ob->typed); } catch (TypeError $e) { echo $e->getMessage(), "\n";
} echo preg_match('/(\d)/', 'a5', $ob->typed2), json_encode($ob->typed2 ?? null), "\n";
$m = 'str'; preg_match('/(s)(t)/', $m, $m); echo json_encode($m), "\n";
$s = 'a=1'; parse_str($s, $s); echo json_encode($s), "\n";
$e = [3, 1]; $e2 = [&$e]; sort($e2[0]); echo json_encode($e), "\n";
$c = 'abcabc'; str_replace('a', 'x', $c, $c); var_dump($c); $q = [1, 2]; foreach ($q as $k => $v) { array_push($q, $v); settype($q[$k], 'string'); } echo json_encode($q), "\n";
list($i, $arr3[$i]) = [1, 'at 1']; echo json_encode($arr3), "\n";
function va(&...$refs) { foreach ($refs as $k => &$r) { $r = "v$k"; } unset($GLOBALS['va1']); return count($refs); } $va1 = 1; $va2 = ['z' => 1]; echo va($va1, $va2['z'], $va2['new']), isset($va1) ? $va1 : 'unset', json_encode($va2), "\n";
$fn = function (&$x) { $x++; return $x; }; $n = 1; echo $fn($n), call_user_func_array($fn, [&$n]), $n, "\n";
set_error_handler(function ($no, $msg) { echo "<$msg> "; return true; }); echo call_user_func($fn, $n), $n, "\n";
echo array_pop(explode(',', 'a,b')), end(array_values([1, 2])), "\n";
function byval(array $a) { $a[] = 1; return $a; } $bv = [0]; $bvr = &$bv[0]; $res = byval($bv); $res[0] = 'leak'; echo $bv[0], "\n";
array_walk($va2, function (&$v, $k, $u) { unset($GLOBALS['va2']); $v = $u; }, 'ud'); echo isset($va2) ? json_encode($va2) : 'unset', "\n";
function swapg() { global $ga, $gb; [$ga, $gb] = [&$gb, &$ga] ? [$gb, $ga] : 0; } $ga = 1; $gb = 2; swapg(); echo $ga, $gb, "\n";
