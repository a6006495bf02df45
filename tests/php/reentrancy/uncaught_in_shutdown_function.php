<?php
// An exception from a shutdown function; the others do not run, destructors do.
register_shutdown_function(function () { echo "one\n"; throw new LogicException('in shutdown'); });
register_shutdown_function(function () { echo "two\n"; });
class D { function __destruct() { echo "~D\n"; } }
$d = new D;
