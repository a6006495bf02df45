<?php
// A server for http_wrapper.php: says its address, then answers by path until it is asked to end.
$server = stream_socket_server('tcp://127.0.0.1:0');
echo stream_socket_get_name($server, false), "\n";
while ($client = stream_socket_accept($server, 10)) {
    $head = '';
    while (($line = fgets($client)) !== false && $line !== "\r\n") {
        $head .= $line;
    }
    $length = preg_match('/content-length: (\d+)/i', $head, $m) ? (int) $m[1] : 0;
    $body = $length > 0 ? fread($client, $length) : '';
    $path = explode(' ', $head)[1];
    $shown = preg_replace('/127\.0\.0\.1:\d+/', 'HOST', $head . '|' . $body);
    fwrite($client, match ($path) {
        '/chunked' => "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nWiki\r\n6;x=y\r\npedia \r\n0\r\n\r\n",
        '/missing' => "HTTP/1.1 404 Not Found\r\nX-Kind: none\r\n\r\nnothing here",
        '/moved' => "HTTP/1.1 302 Found\r\nLocation: /echo?moved\r\n\r\n",
        '/relative' => "HTTP/1.1 301 Moved\r\nLocation: echo\r\n\r\n",
        '/loop' => "HTTP/1.1 302 Found\r\nLocation: /loop\r\n\r\n",
        '/garbage' => "no response\r\n\r\n",
        '/silence' => '',
        '/length' => "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345678",
        '/list' => "HTTP/1.1 200 OK\r\nX-A: 1\r\nX-B: 2\r\nX-A: 3\r\n\r\n",
        default => "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" . $shown,
    });
    fclose($client);
    if ($path === '/end') {
        break;
    }
}
