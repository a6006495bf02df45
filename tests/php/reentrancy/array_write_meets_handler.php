<?php
// A handler of a diagnostic takes a copy of the array that is being written to, or replaces it.
function write(&$s, callable $how) {
    $GLOBALS['x'] = 'nothing';
    try { $how($s); } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
    var_dump($GLOBALS['x'], $s);
}
set_error_handler(function ($level, $message) {
    echo "($message)\n";
    $GLOBALS['x'] = $GLOBALS['y'];
});
foreach ([false, null, [1], []] as $y) {
    echo "--- ", json_encode($y), "\n";
    write($y, function (&$s) { $s[0] = 'set'; });
}
foreach ([[], [5 => 5]] as $y) {
    write($y, function (&$s) { $s[1.5] = 'set'; });
    write($y, function (&$s) { $s['none'] .= 'added'; });
    write($y, function (&$s) { unset($s[1.5]); });
}
