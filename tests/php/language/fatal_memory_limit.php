<?php
// Exceeding memory_limit ends the script past catch and finally; shutdown functions still run.
ini_set('memory_limit', '8M');
ini_set('display_errors', '0');
register_shutdown_function(function () { echo "shutdown: ", substr(error_get_last()['message'], 0, 44), "\n"; });
set_error_handler(fn() => print("handlers do not see it\n"));
function grow() { $a = []; while (true) $a[] = str_repeat('x', 100000); }
try { grow(); } catch (Throwable $e) { echo "never\n"; } finally { echo "never\n"; }
echo "never\n";
