<?php
// Servers and clients in one process: TCP, UDP, local sockets; failures.
function hide(string|false $name): string
{
    return $name === false ? 'false' : preg_replace('/:\d+$/', ':N', $name);
}
$server = stream_socket_server('tcp://127.0.0.1:0', $code, $text);
var_dump($code, $text, hide(stream_socket_get_name($server, false)), stream_socket_get_name($server, true));
$name = stream_socket_get_name($server, false);
var_dump(@stream_socket_accept($server, 0.01));
$client = stream_socket_client("tcp://$name");
$peer = stream_socket_accept($server, 1, $from);
echo hide($from), ' ', var_export($from === stream_socket_get_name($client, false), true), "\n";
var_dump(fwrite($client, "hello\nworld"), fgets($peer), stream_socket_sendto($client, '!'));
var_dump(stream_socket_shutdown($client, STREAM_SHUT_WR), stream_get_contents($peer), feof($peer));
fwrite($peer, 'back');
var_dump(stream_socket_recvfrom($client, 100));
try {
    stream_socket_shutdown($client, 9);
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
$meta = stream_get_meta_data($client);
var_dump($meta['timed_out'], $meta['blocked'], $meta['mode']);
$one = stream_socket_server('udp://127.0.0.1:0', $code, $text, STREAM_SERVER_BIND);
$two = stream_socket_client('udp://' . stream_socket_get_name($one, false));
fwrite($two, 'datagram');
var_dump(stream_socket_recvfrom($one, 100, 0, $from), hide($from), stream_socket_sendto($one, 'answer', 0, $from), fread($two, 100));
$path = sys_get_temp_dir() . '/jumbo_' . getmypid() . '.sock';
$local = stream_socket_server("unix://$path");
$a = stream_socket_client("unix://$path");
$b = stream_socket_accept($local, 1, $from);
fwrite($a, "over the file system\n");
var_dump($from, fgets($b), stream_socket_get_name($a, true) === $path, stream_socket_get_name($a, false));
unlink($path);
var_dump(fsockopen('127.0.0.1', 1, $code, $text), $code, $text);
var_dump(stream_socket_client('127.0.0.1', $code, $text), $code, $text);
var_dump(stream_socket_client('nothing://127.0.0.1:1', $code, $text), $code, $text);
