<?php
// Destructors that run while an exception unwinds: their own try/catch, throws, globals and output buffers.
class D { function __construct(public $n, public $f = null) {}
function __destruct() { echo "~{$this->n}"; if ($this->f) ($this->f)($this); echo ' '; } }
function a() { $x = new D('x', function () { try { throw new Exception('inside'); } catch (Exception $e) { echo '[own]'; } }); throw new Exception('main'); } try { a(); } catch (Exception $e) { echo $e->getMessage(), var_export($e->getPrevious(), true), "\n";
}
function b() { $x = new D('x', fn() => throw new LogicException('from x')); $y = new D('y', fn() => throw new DomainException('from y')); throw new Exception('main'); } try { b(); } catch (Throwable $e) { for (; $e; $e = $e->getPrevious()) echo get_class($e), ' '; echo "\n";
}
function c() { $x = new D('x'); try { throw new Exception('c'); } catch (Exception $e) { $x = null; echo 'in catch '; throw $e; } finally { echo 'finally '; } } try { c(); } catch (Exception $e) { echo "caught\n"; }
function d() { foreach ([new D(1), new D(2)] as $o) { foreach ([new D('in')] as $p) throw new Exception('loop'); } } try { d(); } catch (Exception $e) { echo "caught\n"; } unset($e); function e($arg) { $l = [new D('arr')]; $f = fn() => $l; throw new Exception('e'); } try { e(new D('arg')); } catch (Exception $e) { echo 'caught '; } unset($e); echo "\n";
function f() { $d = new D('ret', function () { throw new Exception('on return'); }); return new D('value'); } try { $v = f(); echo 'no'; } catch (Exception $e) { echo $e->getMessage(), isset($v) ? ' set' : ' unset', "\n";
}
function g() { yield new D('yielded'); $l = new D('gl'); throw new Exception('gen'); } try { foreach (g() as $y) { unset($y); } } catch (Exception $e) { echo "caught\n"; }
function h() { ob_start(); $d = new D('ob', function () { echo 'buffered'; }); throw new Exception('h'); } try { h(); } catch (Exception $e) { $s = ob_get_clean(); echo "[$s]\n"; } try { [new D('a'), new D('b'), throw new Exception('literal')]; } catch (Exception $e) { echo "caught\n"; } try { $z = new D('z1') . 'x'; } catch (Error $e) { echo "no string\n"; } unset($e); try { (new D('chain'))->f->g(); } catch (Error $e) { echo $e->getMessage(), "\n";
} try { strlen(new D('arg to builtin')); } catch (TypeError $e) { echo $e->getMessage(), ' '; } unset($e); echo "\n";
function i() { static $s; $s = new D('static'); $s = null; throw new Exception('i'); } try { i(); } catch (Exception) { echo "caught\n"; }
function j() { $a = new D('ja', function ($me) { $GLOBALS['saved'] = $me; }); throw new Exception('j'); } try { j(); } catch (Exception $e) { } unset($e); echo $saved->n, ' '; unset($saved); echo "|\n"; function k() { try { return new D('k1'); } finally { throw new Exception('k'); } } try { k(); } catch (Exception $e) { echo "caught\n"; }
function l() { $x = new D('l'); try { goto out; } finally { $x = null; } out: return 'out'; } echo l(), "\n";
function m() { try { throw new D2('first'); } finally { $q = new D('q', fn() => throw new D2('second')); unset($q); } }
class D2 extends Exception {} try { m(); } catch (D2 $e) { echo $e->getMessage(), '<-', $e->getPrevious()?->getMessage(), "\n";
}
