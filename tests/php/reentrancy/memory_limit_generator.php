<?php
// memory_limit is exceeded inside a generator, whose frame the unwinding frees: the message has its place all the same.
ini_set('memory_limit', '8M');
function generate()
{
    $kept = [];
    while (true) {
        $kept[] = str_repeat('x', 100000);
        yield count($kept);
    }
}
foreach (generate() as $n) {
    $n++;
}
