<?php
$file = fopen(sys_get_temp_dir() . '/siege.lock', 'c');
flock($file, LOCK_EX);
sleep(1);
