<?php
// finally runs on every way out and may override it.
function a() { try { return 'try'; } finally { echo '[f]'; } } echo a(), "\n";
function b() { try { return 'try'; } finally { return 'finally'; } } echo b(), "\n";
function c() { try { throw new Exception('x'); } finally { return 'swallowed'; } } echo c(), "\n";
function d() { try { try { throw new Exception('inner'); } finally { throw new LogicException('outer'); } } catch (LogicException $e) { return get_class($e->getPrevious()) . $e->getPrevious()->getMessage(); } } echo d(), "\n";
function e() { foreach ([1, 2, 3] as $i) { try { if ($i == 2) continue; echo $i; } finally { echo "f$i "; } } echo "\n"; } e();
function f() { for ($i = 0; $i < 5; $i++) { try { try { break; } finally { echo 'in '; } } finally { echo 'out '; } } echo $i, "\n"; } f();
function g() { $x = 1; try { return $x; } finally { $x = 2; } } echo g(), "\n";
function &h() { static $x = 1; try { return $x; } finally { $x = 2; } } echo h(), "\n";
function i() { try { return print('ret '); } finally { print('fin '); } } i(); echo "\n";
function j() { try { return 'r'; } finally { while (true) { try { break; } finally { echo 'loop '; } } } return 'never'; } echo j(), "\n";
function k() { try { throw new Exception('1'); } catch (Exception $e) { throw new Exception('2', 5, $e); } finally { echo 'fin '; } }
try { k(); } catch (Exception $e) { echo $e->getMessage(), $e->getCode(), $e->getPrevious()->getMessage(), "\n"; }
function l() { try { try { return 'inner'; } finally { echo 'a '; throw new Exception('replaces return'); } } catch (Exception $e) { return $e->getMessage(); } finally { echo 'b '; } } echo l(), "\n";
function m($n) { try { if ($n == 0) throw new RuntimeException; if ($n == 1) throw new TypeError; if ($n == 2) return 'ret'; return 'norm'; } catch (RuntimeException | LogicException) { return 'union'; } catch (Error $e) { return get_class($e); } finally { echo $n; } } foreach ([0, 1, 2, 3] as $n) echo m($n), ' '; echo "\n";
function n() { try { goto end; } finally { echo 'fin-goto '; } end: return 'end'; } echo n(), "\n";
function o() { foreach ([1, 2] as $x) { try { continue; } finally { echo "x$x "; foreach ([3] as $y) { try { continue 1; } finally { echo "y$y "; } } } } echo "\n"; } o();
function p() { try { try { throw new Exception('A'); } finally { try { throw new Exception('B'); } catch (Exception $e) { echo $e->getMessage(), '/', $e->getPrevious()?->getMessage() ?? 'none', ' '; } } } catch (Exception $e) { echo $e->getMessage(), '/', $e->getPrevious()?->getMessage() ?? 'none', "\n"; } } p();
function q() { try { return array_sum([1, (function () { throw new Exception('arg'); })()]); } catch (Exception $e) { return 'caught ' . $e->getMessage(); } } echo q(), "\n";
class D { public $n; function __construct($n) { $this->n = $n; } function __destruct() { echo "d{$this->n} "; } }
function r() { $d = new D(1); try { $e = new D(2); throw new Exception('r'); } finally { echo 'fin '; } } try { r(); } catch (Exception $e) { echo 'caught '; } unset($e); echo "\n";
function s() { try { return new D(3); } finally { return 'over '; } } echo s(), "\n";
function t() { $r = ''; for ($i = 0; $i < 3; $i++) { try { try { if ($i === 1) throw new Exception("e$i"); $r .= "ok$i "; } finally { $r .= "f$i "; } } catch (Exception $e) { $r .= 'c '; continue; } } return $r; } echo t(), "\n";
try { echo (function () { yield 1; throw new Exception('gen'); })()->current(), ' '; (fn() => throw new Exception('arrow'))(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
$v = null; try { $w = $v ?? throw new DomainException('coalesce throw'); } catch (DomainException $e) { echo $e->getMessage(), "\n"; }
try { throw 5; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { throw new stdClass; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { try { throw new Exception('a'); } catch (NotExistingClass $e) { echo 'no'; } } catch (Exception $e) { echo 'unknown classes never match: ', $e->getMessage(), "\n"; }
try { exit_in_finally(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
