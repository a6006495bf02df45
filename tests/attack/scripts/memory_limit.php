<?php
// Memory without end is refused by memory_limit, and nobody else notices.
// options: -d memory_limit=16M
// expect: 500
// log: Allowed memory size of 16777216 bytes exhausted
$all = [];
for (;;) {
    $all[] = str_repeat('x', 1000);
}
