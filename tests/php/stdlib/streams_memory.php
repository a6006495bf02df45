<?php
// php://memory, temp, filters, contexts, stream functions, data: URLs.
require __DIR__ . '/inc/show.php';
$m = fopen('php://memory', 'w+');
show('memory', fwrite($m, "alpha\nbeta\ngamma"), rewind($m), fgets($m), stream_get_line($m, 100, "\n"), stream_get_contents($m), feof($m), rewind($m), stream_get_contents($m, 3), stream_get_contents($m, -1, 6), ftell($m));
show('meta', array_diff_key(stream_get_meta_data($m), ['uri' => 1])); $t = fopen('php://temp/maxmemory:10', 'w+'); fwrite($t, str_repeat('x', 20)); rewind($t);
show('temp', strlen(stream_get_contents($t)), fstat($t)['size'], ftruncate($t, 5), fstat($t)['size'], fseek($t, 3), fread($t, 10));
show('readonly', fwrite(fopen('php://memory', 'r'), 'x'));
show('copy', rewind($m), stream_copy_to_stream($m, $t), rewind($t), stream_get_contents($t));
show('data', file_get_contents('data:text/plain;base64,SGVsbG8='), file_get_contents('data:,a%20b'), file_get_contents('data://text/plain,x+y'), @file_get_contents('data:bad'));
show('filters', file_get_contents('php://filter/read=string.toupper|string.rot13/resource=data:,abc'), in_array('string.rot13', stream_get_filters()), file_get_contents('php://filter/convert.base64-encode/resource=data:,abc')); $f = fopen('php://memory', 'w+'); $flt = stream_filter_append($f, 'string.toupper', STREAM_FILTER_WRITE); fwrite($f, 'abc'); stream_filter_remove($flt); fwrite($f, 'def'); rewind($f);
show('filter write', stream_get_contents($f)); class Rev extends php_user_filter { public function onCreate(): bool { return $this->params !== 'refuse'; } function filter($in, $out, &$consumed, bool $closing): int { while ($b = stream_bucket_make_writeable($in)) { $b->data = "[$b->data]"; $consumed += $b->datalen; stream_bucket_append($out, $b); } return PSFS_PASS_ON; } } show('register', stream_filter_register('my.rev', 'Rev'), stream_filter_register('my.rev', 'Rev')); $f = fopen('php://memory', 'w+'); stream_filter_append($f, 'my.rev', STREAM_FILTER_WRITE, 'p'); fwrite($f, 'x'); fwrite($f, 'yz'); rewind($f);
show('user filter', stream_get_contents($f));
show('refused', stream_filter_append($f, 'my.rev', STREAM_FILTER_READ, 'refuse'), stream_filter_append($f, 'no.such')); $c = stream_context_create(['http' => ['method' => 'POST']], ['notification' => null]);
show('context', stream_context_get_options($c), stream_context_set_option($c, 'http', 'header', 'X: y'), stream_context_get_options($c), is_resource(stream_context_get_default()));
show('wrappers', in_array('php', stream_get_wrappers()), stream_is_local('php://memory'), stream_is_local('http://x'));
show('types', get_resource_type($m), get_resource_type($c), is_resource($m), is_int(get_resource_id($m)));
each('fgets', ['notres']);
each('fopen', ['php://nope', 'r'], ['nowrap://x', 'r'], ['php://filter/read=nope/resource=data:,a', 'r']);
each('stream_get_line', [fopen('data:,a||b||c', 'r'), 10, '||']); $l = fopen('data:,' . rawurlencode("a\nb\r\nc"), 'r'); $ls = []; while (($x = fgets($l)) !== false) $ls[] = $x;
show('lines', $ls); $w = fopen('php://memory', 'w+');
show('vfprintf', vfprintf($w, '%s-%d', ['a', 5]), fputs($w, 'xyz', 2), rewind($w), fscanf($w, '%[a-z]-%d%s')); [$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0); fwrite($a, "ping\n");
show('pair', fgets($b), stream_set_blocking($b, false), fread($b, 10), stream_select_test($b)); function stream_select_test($s) { $r = [$s]; $w = $e = null; return stream_select($r, $w, $e, 0, 1000); } fclose($a);
show('peer closed', fread($b, 10), feof($b)); $o = fopen('php://output', 'w'); fwrite($o, "to output\n"); ob_start(); fwrite($o, 'captured');
show('captured', ob_get_clean());
show('stdin', feof(STDIN) || fgets(STDIN) === false, defined('STDOUT'), file_get_contents('php://input')); $z = gzcompress('hello hello hello', 9);
show('zlib', gzuncompress($z), gzinflate(gzdeflate('abc')), gzdecode(gzencode('abc')), bin2hex(gzdeflate('a', 6)), @gzuncompress('bad')); 
