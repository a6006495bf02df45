<?php
// exit inside a shutdown function skips the remaining ones.
register_shutdown_function(function () { echo "first\n"; exit(9); });
register_shutdown_function(function () { echo "second\n"; });
class D { function __destruct() { echo "~D\n"; } }
$d = new D;
echo "main\n";
