<?php
// What is no regular file is not included: its end may never come.
// options: --executors 1
// expect: 200
// body: bool(false) bool(false)
$fifo = tempnam('', 'fifo');
unlink($fifo);
posix_mkfifo($fifo, 0600);
foreach ([$fifo, '/dev/zero'] as $name) {
    echo (@include $name) ? 'bool(true) ' : 'bool(false) ';
}
unlink($fifo);
