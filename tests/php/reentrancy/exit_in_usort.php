<?php
// exit from a comparison callback: nothing catches it, shutdown functions run.
register_shutdown_function(function () { global $a; echo "shutdown ", is_array($a) ? count($a) : 'gone', "\n";
});
$a = [3, 1, 2];
try { usort($a, function ($x, $y) { exit("bye\n"); }); } catch (Throwable $e) { echo 'never'; } finally { echo 'never'; }
