<?php
// A client goes away: notes into a file what becomes of the script.
function note(string $what): void
{
    file_put_contents($_GET['notes'], "$what " . connection_status() . connection_aborted() . "\n", FILE_APPEND);
}
register_shutdown_function(fn() => note('shutdown'));
ignore_user_abort((bool) ($_GET['ignore'] ?? false));
echo "begun\n";
flush();
while (!file_exists($_GET['notes'] . '.go')) {
    usleep(1000);
}
echo 'little';
note('little');
if ($_GET['how'] === 'flush') {
    flush();
    note('flushed');
}
if ($_GET['how'] === 'much') {
    for ($n = 0; $n < 9; $n++) {
        echo str_repeat('x', 1000);
    }
    note('much');
}
if ($_GET['how'] === 'buffer') {
    ob_start();
    echo str_repeat('x', 10000);
    note('buffered');
    ob_end_flush();
    note('written');
}
note('end');
