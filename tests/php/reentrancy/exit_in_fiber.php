<?php
// exit inside a fiber ends the whole script.
class D { function __destruct() { echo "~D\n"; } }
$f = new Fiber(function () { $d = new D; try { Fiber::suspend(1); exit("exit in fiber\n"); } finally { echo "never\n"; } });
register_shutdown_function(fn() => print("shutdown\n"));
echo $f->start(), "\n";
$f->resume();
echo "never\n";
