<?php
// exit inside an error handler, from within an array write.
set_error_handler(function ($n, $m) { echo "$m\n"; exit(6); });
register_shutdown_function(function () { var_dump($GLOBALS['a']); });
$a = ['k' => 1];
$a['new'] = $undef;
echo 'never';
