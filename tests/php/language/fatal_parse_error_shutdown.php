<?php
register_shutdown_function(fn() => print('shutdown ' . error_get_last()['type'] . "\n"));
include __DIR__ . '/inc/syntax_error.php';
echo "not reached\n";
