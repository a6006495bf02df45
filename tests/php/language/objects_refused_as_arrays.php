<?php
// What is no array is refused on top of what an error handler throws.
function t($f) { try { $f(); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
set_error_handler(function ($n, $m) { throw new ErrorException($m, $n); });
function g() { yield 1; }
class A implements ArrayAccess {
  public function offsetExists($offset): bool { echo __METHOD__, "\n"; return true; }
    public function offsetGet($offset): mixed { echo __METHOD__, "\n"; return 1;}
    public function offsetSet($offset, $value): void {echo __METHOD__, "\n"; }
    public function offsetUnset($offset): void {echo __METHOD__, "\n"; }
}
t(function () { $b = g(); $b[1] = $a; });
t(function () { $b = g(); $c = &$b; $b[1] = $a; });
t(function () { $b = new A; $b[1] = $a; });
t(function () { $b = new A; $c = &$b; $b[1] = $a; });
t(function () { $b = new stdClass; $b[1] = $a; });
t(function () { $b = g(); $b[] = $a; });
t(function () { $b = g(); $b[$k] = $a; });
t(function () { $b = g(); $b[$k] = 1; });
t(function () { $b = new A; $b[$k] = 1; });
t(function () { $b = g(); $b[1] += $a; });
t(function () { $b = g(); $b[$k] += 1; });
t(function () { $b = new stdClass; $b[$k] += 1; });
t(function () { $b = new stdClass; $b[1][2] = $a; });
t(function () { $b = new ArrayObject; $b[1] = $a; });
t(function () { $b = new ArrayObject; $b[$k] = $a; });
t(function () { $b = new ArrayObject; $b[] = $a; });
t(function () { $b = [new ArrayObject]; $b[0][] = $a; });
t(function () { $b = [g()]; $b[0][] = $a; });
t(function () { $b = [g()]; $b[0][1] = $a; });
t(function () { $b = 1; $b[1] = $a; });
t(function () { $b = "abc"; $b[1] = $a; });
t(function () { $b = false; $b[1] = $a; });
t(function () { $b = null; $b[1] = $a; var_dump($b);});
