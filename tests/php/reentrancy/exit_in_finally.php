<?php
// exit inside finally while an exception is in flight.
function f() { try { throw new Exception('lost'); } finally { exit("exit wins\n"); } }
set_exception_handler(fn($e) => print("never\n"));
f();
