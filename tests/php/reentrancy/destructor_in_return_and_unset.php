<?php
// Locals that die on return, unset() of several things, and destructors that see half-done frames.
class D { function __construct(public $n, public $f = null) {}
function __destruct() { echo "~{$this->n} "; if ($this->f) ($this->f)(); } }
function f() { $a = new D('a'); $b = new D('b'); $c = new D('c'); return 'ret'; } echo f(), "\n";
function g() { $a = new D('a', function () { throw new Exception('from a'); }); $b = new D('b'); return 'value'; } try { echo g(); } catch (Exception $e) { echo $e->getMessage(), "\n";
}
function h() { $a = new D('a', fn() => throw new Exception('A')); $b = new D('b', fn() => throw new Exception('B')); } try { h(); } catch (Exception $e) { echo $e->getMessage(), ' prev ', $e->getPrevious()?->getMessage(), "\n";
}
function i() { $a = new D('a', fn() => throw new Exception('A')); throw new Exception('body'); } try { i(); } catch (Exception $e) { echo $e->getMessage(), ' prev ', $e->getPrevious()?->getMessage(), "\n";
} $x = new D('x', function () { global $y; unset($y); echo 'unset y in x '; }); $y = new D('y'); unset($x, $y); var_dump(isset($y)); $arr = ['a' => new D('1'), 'b' => new D('2', function () { global $arr; echo count($arr ?? []), ' '; }), 'c' => new D('3')]; $arr = null; echo "\n";
$arr = [new D('p', function () { global $arr; $arr[] = 'added'; }), new D('q')]; unset($arr[0]); unset($arr[1]); echo json_encode($arr), "\n";
function args($a, $b) { return 'called'; } echo args(new D('arg1'), new D('arg2')), "\n";
try { args(new D('arg'), throw new Exception('second argument')); } catch (Exception $e) { echo $e->getMessage(), "\n";
} try { (new D('obj'))->nope(new D('arg')); } catch (Error $e) { echo $e->getMessage(), "\n";
} try { new D(new D('inner'), throw new Exception('ctor args')); } catch (Exception $e) { echo $e->getMessage(), "\n";
} foreach ([new D('i1'), new D('i2')] as $k => $v) { if ($k == 0) { echo 'loop '; } } unset($v); echo "\n";
function gen() { $d = new D('gen local'); yield 1; yield 2; } foreach (gen() as $v) { echo $v, ' '; break; } echo "\n";
$g = gen(); $g->current(); $g = null; echo "\n";
$c = function () { return new D('returned'); }; $c(); echo "|\n"; $s = (new D('t'))->n . (new D('u'))->n; echo $s, "\n";
[new D('e1'), new D('e2')]; echo "|\n"; function rec($n) { $d = new D("r$n"); if ($n) rec($n - 1); echo "leave$n "; } rec(2); echo "\n";
(function () { $d = new D('in catch'); try { throw new Exception; } catch (Exception $e) { $d = null; echo 'after '; } })(); echo "\n";
unset($e); $w = new D('w', function () { global $w; $w = 'resurrected as string'; }); unset($w); var_dump($w ?? 'unset');
