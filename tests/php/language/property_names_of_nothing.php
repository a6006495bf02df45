<?php
// Names of properties that are no strings, of containers that are no objects: both are complained of.
class B {}
function t($f) { try { $f(); } catch (Throwable $e) { do { echo get_class($e), ': ', $e->getMessage(), ' @', $e->getLine(), "\n"; } while ($e = $e->getPrevious()); } }
t(function() { $c->{new B} |= 1; });
t(function() { $c->{new B} = 1; });
t(function() { $c->{new B}++; });
t(function() { ++$c->{new B}; });
t(function() { $c->{new B}[] = 1; });
t(function() { $c->{new B} ??= 1; });
t(function() { $x = $c->{new B}; });
t(function() { $r = &$c->{new B}; });
t(function() { unset($c->{new B}); });
t(function() { isset($c->{new B}); });
t(function() { $c->{[]} |= 1; });
t(function() { $c->{[]} = 1; });
t(function() { $c = 5; $c->{new B} |= 1; });
t(function() { $c = 5; $c->{new B} = 1; });
t(function() { $c = 5; $c->{new B}++; });
t(function() { $c = 5; $x = $c->{new B}; });
t(function() { $c = 5; $c->{new B}[] = 1; });
t(function() { $c = 5; $r = &$c->{new B}; });
t(function() { $c = new B; $c->{new B} |= 1; });
t(function() { $c = new B; $c->{new B} = 1; });
t(function() { $c = new B; $c->{new B}++; });
t(function() { $c->{$u} |= 1; });
t(function() { $c->{$u} = 1; });
t(function() { $c->{$u}++; });
t(function() { $c[new B] |= 1; });
t(function() { $c = 5; $c[new B] |= 1; });
t(function() { $c = 5; $c[$u] |= 1; });
t(function() { $c = "abc"; $c[$u] |= 1; });
t(function() { $c->{new B} |= new B; });
t(function() { $c->{new B} = $v; });
set_error_handler(function($n,$m) { throw new Exception($m); });
t(function() { $c->{new B} |= 1; });
t(function() { $c->{new B} = 1; });
t(function() { $c->{new B}++; });
t(function() { $c->a |= 1; });
t(function() { $c->a = 1; });
t(function() { $c->a++; });
t(function() { $c->a[] = 1; });
t(function() { $c->{$u} |= 1; });
t(function() { $c->{[]} |= 1; });
t(function() { $c->{[]} = 1; });
class NamesOfProperties {
    const K0 = [1];
    const K1 = 'a';
    const K3 = [PHP_VERSION_ID];
    function a() { $this->{self::K0}++; }
    function c() { $this->{NamesOfProperties::K0}++; }
    function d() { $this->{static::K0}++; }
    function e() { $this->{self::K4}++; }
    function f() { $this->{[1]}++; }
    function g() { $this->{self::K3}++; }
    const K4 = [1];
}
