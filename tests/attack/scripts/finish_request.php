<?php
// fastcgi_finish_request(): the answer leaves with its headers, the session stays open, the script goes on; what is printed
// afterwards goes nowhere, and ends the script only when it is written through.
// expect: 200
// header: X-Before: yes
// header: Content-Length: 7
// body: before\n
// no body: after
// log: finished=true again=false session=2 sent=true
// log: shutdown 1
register_shutdown_function(function () {
    error_log('shutdown ' . connection_status());
});
session_save_path(sys_get_temp_dir());
session_start();
ob_start();
header('X-Before: yes');
echo "before\n";
$finished = fastcgi_finish_request();
$again = fastcgi_finish_request();
echo 'after';
error_log('finished=' . var_export($finished, true) . ' again=' . var_export($again, true)
    . ' session=' . session_status() . ' sent=' . var_export(headers_sent(), true));
session_destroy();
echo str_repeat('after', 10000);
error_log('the script has not ended: a panicked at of its own');
