<?php
// http:// as a stream: requests by context, redirections, chunks, failures, headers.
$process = proc_open([PHP_BINARY, __DIR__ . '/inc/http_server.php'], [1 => ['pipe', 'w']], $pipes);
$url = 'http://' . trim(fgets($pipes[1]));
function get(string $url, array $options = []): void
{
    $content = file_get_contents($url, false, $options === [] ? null : stream_context_create(['http' => $options]));
    var_dump(is_string($content) ? str_replace("\r\n", "\n", $content) : $content);
}
set_error_handler(function (int $level, string $message) use ($url): bool {
    echo "[$level] ", str_replace($url, 'URL', $message), "\n";
    return true;
});
get("$url/a/b?c=d#fragment");
get(str_replace('http://', 'http://us%20er:pw@', $url) . '/auth');
get("$url/post", ['method' => 'POST', 'content' => 'x=1', 'header' => "X-One: 1\r\nX-Two: 2\r\n", 'user_agent' => 'Agent/1']);
get("$url/put", ['method' => 'PUT', 'content' => 'text', 'header' => ['Content-Type: text/x', 'User-Agent: own'], 'protocol_version' => 1.0]);
get("$url/chunked");
get("$url/missing");
get("$url/missing", ['ignore_errors' => true]);
get("$url/moved");
get("$url/relative", ['method' => 'POST', 'content' => 'a', 'header' => 'Content-Type: text/plain']);
get("$url/moved", ['follow_location' => 0]);
get("$url/loop", ['max_redirects' => 3]);
get("$url/garbage");
get("$url/silence");
var_dump(fopen("$url/write", 'w'));
$stream = fopen("$url/stream", 'r');
$meta = stream_get_meta_data($stream);
var_dump($meta['wrapper_type'], $meta['wrapper_data'], $meta['mode'], $meta['seekable'], fread($stream, 5));
var_dump(http_get_last_response_headers());
http_clear_last_response_headers();
var_dump(http_get_last_response_headers());
var_dump(get_headers("$url/list"), get_headers("$url/list", true));
file_get_contents("$url/end");
proc_close($process);
