<?php
$fifo = sys_get_temp_dir() . '/siege-' . bin2hex(random_bytes(8));
posix_mkfifo($fifo, 0600);
register_shutdown_function(fn() => unlink($fifo));
fopen($fifo, 'r');
