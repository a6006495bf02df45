<?php
// gz* functions, streams and incremental contexts.
require __DIR__ . '/inc/show.php';
$s = str_repeat('hello world ', 50);
foreach (['gzcompress' => 'gzuncompress', 'gzdeflate' => 'gzinflate', 'gzencode' => 'gzdecode'] as $enc => $dec) {
    foreach ([-1, 0, 1, 9] as $l) show("$enc $l", $dec($enc($s, $l)) === $s, strlen($enc($s, $l)) < ($l ? 100 : 700));
    show($dec, $dec($enc('')) === '', @$dec('garbage'), @$dec(''), $dec($enc('abc'), 3));
}
each('gzuncompress', ['bad'], [gzcompress('abcdef'), 3]);
each('gzinflate', ["\xff\xff"]);
each('gzdecode', ['notgz']);
each('gzcompress', ['x', 10]);
show('headers', bin2hex(substr(gzcompress('a'), 0, 2)), bin2hex(substr(gzencode('a'), 0, 3)), bin2hex(gzdeflate('aaaaaaaaaa')));
show('zlib_encode', zlib_decode(zlib_encode('x', ZLIB_ENCODING_RAW)), zlib_decode(zlib_encode('y', ZLIB_ENCODING_GZIP)), zlib_decode(zlib_encode('z', ZLIB_ENCODING_DEFLATE)));
$d = deflate_init(ZLIB_ENCODING_GZIP, ['level' => 6]);
$o = deflate_add($d, 'part one ', ZLIB_NO_FLUSH) . deflate_add($d, 'part two', ZLIB_FINISH);
$i = inflate_init(ZLIB_ENCODING_GZIP);
show('incremental', gzdecode($o), inflate_add($i, substr($o, 0, 10)) . inflate_add($i, substr($o, 10)), inflate_get_status($i) === ZLIB_STREAM_END, inflate_get_read_len($i) === strlen($o));
$f = tempnam(sys_get_temp_dir(), 'gz');
$g = gzopen($f, 'w9');
show('write', gzwrite($g, "line1\nline2\n"), gzputs($g, 'end'), gzclose($g), bin2hex(substr(file_get_contents($f), 0, 2)));
$g = gzopen($f, 'r');
show('read', gzgets($g), gzread($g, 3), gzgetc($g), gztell($g), gzeof($g), gzpassthru($g), gzeof($g), gzrewind($g), gzseek($g, 6), gzread($g, 5), gzclose($g));
show('file', gzfile($f), file_get_contents("compress.zlib://$f"), readgzfile($f));
file_put_contents("compress.zlib://$f", 'via wrapper');
show('wrapper', gzdecode(file_get_contents($f)));
$m = fopen('php://memory', 'w+');
stream_filter_append($m, 'zlib.deflate', STREAM_FILTER_WRITE, ['level' => 9]);
fwrite($m, $s);
fclose($m);
show('filter', file_get_contents('php://filter/read=zlib.inflate/resource=data:;base64,' . base64_encode(gzdeflate('filtered'))));
show('coding', zlib_get_coding_type());
unlink($f);
