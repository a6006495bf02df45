<?php
// When the last reference goes: assignment, unset, return, argument temporaries, end of script.
class D { function __construct(public $n) {} function __destruct() { echo "~{$this->n} "; } }
$a = new D('a'); $a = null; echo "after null\n";
$a = new D('b'); $a = new D('c'); echo "after overwrite\n"; unset($a); echo "after unset\n";
new D('temp'); echo "after temp\n";
function f() { $l = new D('local'); echo 'in '; } f(); echo "after f\n";
function g(D $d) { echo 'g '; } g(new D('arg')); echo "after g\n";
function h() { return new D('ret'); } h(); echo "after h\n"; $x = h(); echo "kept\n"; unset($x); echo "\n";
$arr = [new D(1), new D(2), new D(3)]; unset($arr[1]); echo '| '; $arr = []; echo "after arr\n";
$o = new D('outer'); $o->in = new D('inner'); $o = null; echo "\n";
$p = new D('p'); $q = $p; unset($p); echo 'still '; unset($q); echo "\n";
$s = 'x' . (new D('concat'))->n; echo $s, "\n";
echo (new D('chain'))->n, "|\n";
foreach ([new D('e1'), new D('e2')] as $e) { echo $e->n, ' '; } echo 'loop done '; unset($e); echo "\n";
$f = function () { $z = new D('closure local'); return fn() => $z->n; }; $k = $f(); echo $k(), ' '; unset($k); echo "\n";
try { $t = new D('try'); throw new Exception; } catch (Exception $e) { unset($t); echo 'catch ', "\n"; }
class R { public static $keep; function __destruct() { echo 'resurrect '; self::$keep = $this; } } $r = new R; unset($r); var_dump(R::$keep instanceof R); R::$keep = null; echo "once only\n";
class T { function __destruct() { throw new Exception('from destructor'); } }
try { $t = new T; unset($t); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
try { $t = new T; $t = 5; } catch (Exception $e) { echo $e->getMessage(), ' ', var_export($t, true), "\n"; }
function callT() { $t = new T; return 'value'; } try { echo callT(); } catch (Exception $e) { echo 'returned? ', $e->getMessage(), "\n"; }
class Ctor { function __construct() { throw new Exception('ctor'); } function __destruct() { echo "never"; } } try { new Ctor; } catch (Exception $e) { echo $e->getMessage(), "\n"; } unset($e);
function st() { static $s; $s = new D('static'); } st(); echo "set static\n";
$c = clone new D('cl'); echo "cloned\n"; unset($c); echo "\n";
list($u, $v) = [new D('u'), new D('v')]; $u = $v = null; echo "\n";
$g1 = new D('g1'); $g2 = new D('g2'); $GLOBALS['g3'] = new D('g3');
register_shutdown_function(function () { echo "shutdown function\n"; });
class S { static $s; } S::$s = new D('static prop');
echo "end of script\n";
