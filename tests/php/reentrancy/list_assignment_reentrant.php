<?php
// Destructuring whose targets, keys or source change while it runs.
class T implements ArrayAccess { public $log = ''; function offsetExists($o): bool { return true; } function offsetGet($o): mixed { global $src, $a; $this->log .= "get$o "; $src = 'replaced'; $a = 'set in get'; return "v$o"; } function offsetSet($o, $v): void { $this->log .= "set$o "; } function offsetUnset($o): void {} }
class Pr { public $log = ''; function __set($n, $v) { global $arr; $this->log .= "set $n=$v "; $arr = ['changed']; } }
$src = new T; $keep = $src; [$a, $b] = $src; echo $a, $b, json_encode($src), $keep->log, "\n";
$arr = [1, 2, 3]; [$arr[2], $arr[1], $arr[0]] = $arr; echo json_encode($arr), "\n";
$arr = [1, [2, 3]]; [$arr, [$x, $y]] = $arr; echo json_encode([$arr, $x, $y]), "\n";
$arr = ['a' => 1, 'b' => 2]; ['a' => $arr, 'b' => $z] = $arr; echo json_encode([$arr, $z]), "\n";
$p = new Pr; $arr = ['x', 'y']; [$p->one, $p->two] = $arr; echo $p->log, json_encode($arr), "\n";
$i = 0; $t = []; [$t[$i++], $t[$i++]] = [$i++, $i++]; echo json_encode([$t, $i]), "\n";
function key_($k) { echo "key$k "; return $k; } function &tgt($n) { global $store; echo "tgt$n "; return $store[$n]; } [key_('q') => $v1, key_('p') => $v2] = ['p' => 'P', 'q' => 'Q']; echo $v1, $v2, "\n";
set_error_handler(function ($n, $m) { global $w, $s2; echo "<$m> "; $w = 'by handler'; $s2 = null; return true; }); $s2 = [1]; [$v, $w] = $s2; echo json_encode([$v, $w, $s2]), "\n";
$s2 = ['k' => 1]; ['nope' => $n1, 'k' => $n2] = $s2; echo json_encode([$n1, $n2, $s2]), "\n";
[$undefT[$undefK], $m] = [1, 2]; echo json_encode([$undefT, $m]), "\n"; restore_error_handler(); class D { function __construct(public $f) {} function __destruct() { ($this->f)(); } } $d1 = new D(function () { global $d2; echo "d1 dies, d2 is ", get_debug_type($d2), ' '; $d2 = 'set by d1'; }); $d2 = 'old'; [$d1, $d2] = ['new1', 'new2']; echo $d1, $d2, "\n";
$self = [1, 2]; $self[2] = &$self; [$q, $self, [$qq]] = $self; echo $q, json_encode($self), json_encode($qq), "\n";
$r1 = ['a' => ['b' => 1]]; ['a' => ['b' => &$ref]] = $r1; $ref = 'via'; ['a' => &$r1] = $r1; echo json_encode($r1), "\n";
foreach ([[1, [2]], [3, [4]]] as [$aa, [$aa2]]) { [$aa, $aa2] = [$aa2, $aa]; echo $aa, $aa2; } echo "\n";
function g() { [$x, $y] = [yield 1, yield 2]; return [$x, $y]; } $g = g(); $g->current(); $g->send('X'); $g->send('Y'); echo json_encode($g->getReturn()), "\n";
try { [$ok, $never[thr()]] = [1, 2]; } catch (Exception $e) { echo $e->getMessage(), $ok, isset($never) ? 'set' : 'unset', "\n"; } function thr() { throw new Exception('in key '); } [[$e1, $e2], $e1] = [[1, 2], 3]; echo $e1, $e2, "\n";
list(, list(, $deep)) = [0, [1, new D(fn() => print("~deep\n"))]]; $deep = null; [$n, $n, $n] = [1, 2, 3]; echo $n, "\n";
