<?php
class D { public $n; function __construct($n) { $this->n = $n; } function __destruct() { echo "~{$this->n}\n"; } }
function f(...$x) { $g = new D(2); } f(new D(1)); echo "--\n";
function f2($a, ...$x) { $g = new D(2); } f2(new D(0), new D(1)); echo "--\n";
function f3(D ...$x) { $g = new D(2); $x = 5; } f3(new D(1), new D(3)); echo "--\n";
function f4(...$x) { $g = new D(2); throw new Exception; } try { f4(new D(1)); } catch (Exception) { } echo "--\n";
function f5(...$x) { $g = new D(2); return $x; } f5(new D(1)); echo "--\n"; $r = f5(new D(1)); echo "-\n"; $r = null; echo "--\n";
function f6(...$x) { $g = new D(2); return $x[0]; } f6(new D(1)); echo "--\n";
function f7($a) { $g = new D(2); } f7(new D(1), new D(3)); echo "--\n";
function f8($a) { $g = new D(2); return func_get_args(); } f8(new D(1), new D(3)); echo "--\n";
$c = function (...$x) use ($r) { $g = new D(2); }; $c(new D(1)); echo "--\n";
class M { function m(...$x) { $g = new D(2); return $this; } function __destruct() { echo "~M\n"; } } (new M)->m(new D(1)); echo "--\n";
function f9(...$x) { $g = new D(2); yield 1; } foreach (f9(new D(1)) as $v); echo "--\n";
function fa(&...$x) { $g = new D(2); } $q = new D(1); fa($q); $q = null; echo "--\n";
function fb(...$x) { $g = new D(2); } fb(a: new D(1), b: new D(3)); echo "--\n";
function fc(...$x) { $g = new D(2); unset($x); echo "u\n"; } fc(new D(1)); echo "--\n";
function fd(...$x) { $g = new D(2); array_pop($x); echo "u\n"; } fd(new D(1), new D(3)); echo "--\n";
array_map(fn(...$z) => 1, [new D(1)], [new D(3)]); echo "--\n"; call_user_func('f', new D(1)); echo "--\n"; call_user_func_array('f', [new D(1)]); echo "--\n"; f(...[new D(1), new D(3)]); echo "--\n";
