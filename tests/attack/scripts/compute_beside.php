<?php
// A hash that would take minutes, and cannot be interrupted, is made on a thread beside the executors'.
// options: --executors 1 --terminate-after-ms 3000
// beside: /site/alive.php
// expect: 500
// log: a request took longer than 3000 ms and was ended
password_hash('password', PASSWORD_ARGON2ID, ['memory_cost' => 1024, 'time_cost' => 1_000_000]);
