<?php
gc_disable();
ini_set('memory_limit', '-1');
setlocale(LC_ALL, 'de_DE.UTF-8');
date_default_timezone_set('Asia/Tokyo');
chdir('/');
putenv('SIEGE=1');
umask(0);
error_reporting(0);
ob_start();
ob_start(fn($x) => str_repeat($x, 2));
set_exception_handler(fn() => exit);
stream_wrapper_unregister('file');
mt_srand(1);
ignore_user_abort(true);
echo 'x';
exit(1);
