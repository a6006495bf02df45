<?php
function t($f) { try { $f(); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
// `$this?->` cannot be left: a closure may be made of its method.
t(function () { var_dump(($this)?->m4()->m4(...)); });
function g() {
    $x = (($this)?->m4())->m4(...);
}
t('g');
class A { function f() { return $this?->g()->g(...); } function g() { echo "g\n"; return $this; } }
var_dump((new A)->f());
