<?php
// A descriptor that is not open for reading (or writing) fails at once; nothing waits for it.

set_error_handler(function (int $level, string $message) {
    echo $message, "\n";
    return true;
});

$process = proc_open(['cat'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
var_dump(fread($pipes[0], 5), fgets($pipes[0]), stream_get_contents($pipes[0]), feof($pipes[0]));
var_dump(fwrite($pipes[1], 'x'));
fwrite($pipes[0], "through\n");
fclose($pipes[0]);
var_dump(stream_get_contents($pipes[1]));
proc_close($process);

$out = popen('cat >/dev/null', 'w');
var_dump(fread($out, 5), feof($out));
pclose($out);
$in = popen('true', 'r');
var_dump(fwrite($in, 'x'));
pclose($in);
