<?php
// A match that would take years: others have their turns while it goes on, and it ends with its request.
// options: --executors 1 --terminate-after-ms 3000
// beside: /site/alive.php
// expect: 500
// log: a request took longer than 3000 ms and was ended
ini_set('pcre.backtrack_limit', 4_000_000_000);
preg_match('/^(a+)+$/', str_repeat('a', 60) . 'b');
