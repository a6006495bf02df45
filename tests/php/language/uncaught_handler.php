<?php
// set_exception_handler: called once, gets Errors too, returns the previous handler.
var_dump(set_exception_handler(fn($e) => print("first\n")));
$prev = set_exception_handler(function (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; });
var_dump($prev instanceof Closure);
restore_exception_handler();
set_exception_handler(function (Throwable $e) { echo 'handled ', get_class($e), ': ', $e->getMessage(), ' line ', $e->getLine(), "\n"; });
register_shutdown_function(function () { echo "shutdown\n"; throw new Exception('from shutdown'); });
function f(int $x) {}
try { f([]); } finally { echo "finally\n"; }
