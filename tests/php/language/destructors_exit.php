<?php
// exit runs shutdown functions, then destructors, and passes by catch and finally.
class D { function __construct(public $n) {} function __destruct() { echo "~{$this->n}\n"; } }
$a = new D('a'); $b = new D('b');
register_shutdown_function(function ($x) { echo "shutdown $x\n"; register_shutdown_function(fn() => print("nested shutdown\n")); }, 'one');
register_shutdown_function(function () { echo "second\n"; });
ob_start(fn($b) => strtoupper($b));
function f() { $l = new D('local'); try { exit("bye\n"); } catch (Throwable $e) { echo 'never'; } finally { echo 'never either'; } }
f();
