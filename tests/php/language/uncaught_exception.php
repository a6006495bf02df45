<?php
// What an uncaught exception prints, with its chain.
class AppException extends Exception {}
function f($arg) { throw new AppException("top $arg", 3, new LogicException("below", 0, new Error("bottom"))); }
register_shutdown_function(function () { echo "shutdown runs\n"; });
class D { function __destruct() { echo "destructor not before shutdown\n"; } }
$d = new D;
echo "before\n";
f('a quite long string argument that is cut');
echo "never\n";
