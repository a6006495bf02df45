<?php
// What is left of places and operands when an operation is refused, or a handler throws.
function t(callable $f) { try { var_dump($f()); } catch (Throwable $e) { do { echo get_class($e), ': ', $e->getMessage(), "\n"; } while ($e = $e->getPrevious()); } }
class AA implements ArrayAccess {
    function offsetGet($o): mixed { throw new Exception('get'); }
    function offsetSet($o, $v): void { echo "set\n"; }
    function offsetExists($o): bool { return true; }
    function offsetUnset($o): void {}
}
t(function () { $d = fn($x) => $x; $d[1] ^= 2; });
t(function () { $d = new stdClass; $d[] .= 2; });
t(function () { $d = new AA; $d[1] .= 2; });
t(function () { $d = new AA; $d[1]++; });
t(function () { $e = &$f; $f = false; $f[1][1] **= 1; return $f; });
t(function () { $f = false; $f[1][1] **= 1; return $f; });
t(function () { $e = &$f; $f = false; $f[1][2] = 1; return $f; });
t(function () { $e = &$f; $f = false; $f[1] = 1; return $f; });
t(function () { $e = &$f; $f = false; $g = &$f[2]; return $f; });
t(function () { try { $d->p = &$e; } finally { var_dump($d, $e); } });
t(function () { try { $d->p = &$d; } finally { var_dump($d); } });
t(function () { $s = ''; $s[-5] = ''; });
t(function () { $s = 'a'; $s[-5] = 'bc'; return $s; });
t(function () { $s = 'a'; $s[-5] = []; return $s; });
t(function () { $s = 'a'; $s[1] = ''; return $s; });
t(function () { $s = 'abc'; $s[] = $u; });
t(function () { $s = 'abc'; $s[] .= $u; });
t(function () { $s = 'abc'; $s[1] .= $v; });
t(function () { $s = 'abc'; $s['x'] = $v; });
t(function () { return match ($d) {}; });
t(function () { return match ($d) { 1 => 1 }; });
class D { function __construct(public $n) {} function __destruct() { echo "~{$this->n} "; } }
function p($x) { echo "arm$x "; return $x; }
$r = match (new D(1)) { default => p(1) }; echo "\n";
$r = match (new D(3)) { new D(4) => p(9), default => p(3) }; echo "\n";
try { match (new D(6)) { 5 => p(5) }; } catch (Error $e) { echo get_class($e); } unset($e); echo "\n";
trait T { function m() {} }
t(fn() => T::m());
set_error_handler(function ($n, $m) { throw new ErrorException($m, $n); });
t(function () { try { $a = $e++; } finally { var_dump($e); } });
t(function () { try { --$e; } finally { var_dump($e); } });
t(function () { try { $a['x']++; } finally { var_dump($a); } });
t(function () { $a = 1; try { $a = $k; } finally { var_dump($a); } });
restore_error_handler();
foreach ([new ArrayObject([1]), new ArrayIterator([1])] as $e) {
    --$e['k'];
    $e['l']++;
    $e['m'][1] .= 'a';
    $e[5]++;
    echo json_encode($e->getArrayCopy()), "\n";
}
