<?php
// FIFOs: opening one waits for the other side.
$folder = tempnam('', 'fifo');
unlink($folder);
mkdir($folder);
$fifo = "$folder/f";
var_dump(posix_mkfifo($fifo, 0600), filetype($fifo), is_file($fifo), file_exists($fifo));

function write_to($fifo, $text) {
    return proc_open(['sh', '-c', 'printf %s "$1" > "$2"', '-', $text, $fifo], [], $pipes);
}
function read_from($fifo, &$pipe) {
    $process = proc_open(['cat', $fifo], [1 => ['pipe', 'w']], $pipes);
    $pipe = $pipes[1];
    return $process;
}

$process = write_to($fifo, 'content');
var_dump(file_get_contents($fifo));
var_dump(proc_close($process));

// More than a pipe takes at once.
$process = write_to($fifo, str_repeat('0123456789', 10_000));
$h = fopen($fifo, 'r');
var_dump(stream_get_meta_data($h)['seekable'], strlen(fread($h, 10)), strlen(stream_get_contents($h)), feof($h));
fclose($h);
proc_close($process);

// What is written and gone before it is read.
$process = write_to($fifo, '');
var_dump(file_get_contents($fifo));
proc_close($process);

// Only regular files are included. (Stock opens others all the same, so somebody has to write.)
$process = write_to($fifo, '');
var_dump(@include $fifo);
proc_terminate($process);
proc_close($process);
var_dump(in_array($fifo, get_included_files()), @include '/dev/zero', @include_once '/dev/null');
try {
    @require '/dev/null';
} catch (Error $e) {
    echo get_class($e), ': ', $e->getMessage(), "\n";
}

$process = read_from($fifo, $pipe);
$h = fopen($fifo, 'w');
var_dump(fwrite($h, 'to the reader'), fclose($h), stream_get_contents($pipe));
proc_close($process);

$process = read_from($fifo, $pipe);
var_dump(file_put_contents($fifo, str_repeat('x', 100), FILE_APPEND), strlen(stream_get_contents($pipe)));
proc_close($process);

$process = read_from($fifo, $pipe);
var_dump(error_log("a line\n", 3, $fifo), stream_get_contents($pipe));
proc_close($process);

// With both sides at once nobody is waited for.
$h = fopen($fifo, 'r+');
var_dump(fwrite($h, "self\n"), fgets($h));
fclose($h);

// Not waiting.
var_dump(@fopen($fifo, 'wn'), error_get_last()['message'] === "fopen($fifo): Failed to open stream: No such device or address");
$h = fopen($fifo, 'rn');
var_dump(fread($h, 10));
fclose($h);
var_dump(@fopen($fifo, 'x'));
var_dump(@error_log('x', 3, "$folder/none/log"));

unlink($fifo);
rmdir($folder);
