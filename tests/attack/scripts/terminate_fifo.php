<?php
// A script that waits for somebody to write into its FIFO, which nobody does.
// options: --terminate-after-ms 500
// expect: 500
// log: a request took longer than 500 ms and was ended
$fifo = tempnam('', 'fifo');
unlink($fifo);
posix_mkfifo($fifo, 0600);
register_shutdown_function(unlink(...), $fifo);
try {
    readfile($fifo);
} finally {
    unlink($fifo);
}
