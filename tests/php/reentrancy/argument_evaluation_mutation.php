<?php
// Arguments whose evaluation rebinds earlier arguments, the callee's variable, or the object.
function show(...$a) { echo json_encode($a), "\n";
} $x = 1; show($x, $x = 2, $x); $a = [1]; show($a, $a[] = 2, $a); function &addr(array &$arr) { $arr[] = 'via ref'; return $arr; } $a = [1]; show($a, addr($a), $a); function ref(&$r, $v) { return [$r, $v]; } $x = 1; show(ref($x, $x = 5)); $x = [1, 2]; show(ref($x[0], $x = [9, 9])); $x = [1, 2]; show(ref($x[5], count($x))); class O { public $p = 'p'; function m(...$a) { return [$this->p, ...$a]; } static function s(...$a) { return $a; } } $o = new O; show($o->m($o->p = 'changed')); $o = new O; show($o->m($o = new class { public $q = 'other'; }, $o->q)); $f = 'strrev'; show($f($f = 'abc')); $cls = 'O'; show($cls::s($cls = 'Nope')); $m = 'm'; $o = new O; show($o->$m($m = 'zzz')); show([$o, 'm'](...[$o = null])); $i = 0; $arr = ['a', 'b', 'c']; show($arr[$i], $arr[++$i], $arr[$i++], $i); function un() { unset($GLOBALS['u']); return 'unset'; } $u = 'before'; show($u, un(), $u ?? 'gone'); $n = ['k' => ['z' => 1]]; show($n['k']['z'], $n = null, $n['k'] ?? 'null now'); show("$x[0]" . ($x = ['new'])[0] . $x[0]); $s = 'abc'; show($s[0], $s = 'xyz', $s[0]); function gen() { $r = yield 1; show('gen', $r, yield 2, yield 3); } $g = gen(); $g->current(); $g->send('A'); $g->send('B'); $g->send('C'); $z = 5; show($z++ + $z, $z-- - --$z, $z); $list = [1, 2, 3]; show(array_shift($list), array_shift($list), $list); show(...[array_pop($list), $list, $list[] = 7, $list]); function thr() { throw new Exception('arg'); }
class D { function __construct(public $n) {}
function __destruct() { echo "~{$this->n} "; } } try { show(new D('first'), thr(), new D('never')); } catch (Exception $e) { echo $e->getMessage(), "\n";
} try { new D(thr()); } catch (Exception $e) { echo $e->getMessage(), "\n";
} try { (new D('base'))->n->foo(thr()); } catch (Throwable $e) { echo $e->getMessage(), "\n";
} try { nofunc(print 'args not evaluated '); } catch (Error $e) { echo $e->getMessage(), "\n";
} try { $o2 = null; $o2->m(print 'not evaluated '); } catch (Error $e) { echo $e->getMessage(), "\n";
} try { (new O)->nope(print 'not evaluated '); } catch (Error $e) { echo $e->getMessage(), "\n";
} try { Nope::m(print 'not evaluated '); } catch (Error $e) { echo $e->getMessage(), "\n";
} try { new Nope(print 'not evaluated '); } catch (Error $e) { echo $e->getMessage(), "\n";
} try { $q = 'nofn'; $q(print 'not evaluated '); } catch (Error $e) { echo $e->getMessage(), "\n";
} try { strlen(print 'evaluated ', print 'extra '); } catch (Error $e) { echo $e->getMessage(), "\n";
} try { (function (int $a) {})((print 'evaluated ') . 'str', print 'too '); } catch (Error $e) { echo preg_replace('/\S*argument_eval\S*/', '', $e->getMessage()), "\n";
} show(a: $x = 1, b: $x + 1, c: $x = 7); show(...['k' => $x], ...['l' => ++$x]);
