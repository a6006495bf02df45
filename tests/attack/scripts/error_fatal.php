<?php
// A fatal error before anything was sent is a page, not an empty answer.
// expect: 500
// body: under the number
// no body: memory
// log: for GET /scripts/error_fatal.php: Allowed memory size
ini_set('memory_limit', '2M');
str_repeat('x', 10_000_000);
