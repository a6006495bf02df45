<?php
// A digest that would take minutes counts its work: pages of the same executor are served meanwhile, and the script's time ends it.
// options: --executors 1 --terminate-after-ms 3000
// beside: /site/alive.php
// expect: 500
// log: a request took longer than 3000 ms and was ended
hash_pbkdf2('sha256', 'password', 'salt', 1_000_000_000);
