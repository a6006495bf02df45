<?php
// A script that never ends, nor waits.
// options: --terminate-after-ms 500
// expect: 500
// log: a request took longer than 500 ms and was ended
for (;;) {
}
