<?php
chdir('/'); umask(0); putenv('LEFT=1'); putenv('PATH=/nowhere'); putenv('TZ=Asia/Tokyo'); foreach (['C.UTF-8', 'C', 'POSIX'] as $l) setlocale(LC_ALL, $l);
mt_srand(1); srand(1); mt_rand(); lcg_value(); clearstatcache(); touch(__DIR__ . '/touched', 1); filemtime(__DIR__ . '/touched'); unlink(__DIR__ . '/touched');
