<?php
// A script that waits for ever.
// options: --terminate-after-ms 500
// expect: 500
// log: a request took longer than 500 ms and was ended
sleep(PHP_INT_MAX >> 10);
