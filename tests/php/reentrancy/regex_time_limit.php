<?php
// A pattern that backtracks without end is ended by the time limit, however far the backtrack limit was raised.
ini_set('pcre.backtrack_limit', '500000000');
register_shutdown_function(function () { echo "shutdown\n"; });
set_time_limit(1);
preg_replace_callback('/^(a+)+$/', fn() => '', str_repeat('a', 60) . 'b');
echo "never\n";
