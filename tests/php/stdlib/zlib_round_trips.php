<?php
// Compressed data, contexts, filters and files. Compressed bytes themselves depend on the library.
$text = str_repeat("The quick brown fox. ", 500);
foreach ([ZLIB_ENCODING_RAW, ZLIB_ENCODING_GZIP, ZLIB_ENCODING_DEFLATE] as $encoding) {
    $packed = zlib_encode($text, $encoding);
    var_dump(strlen($packed) < 400, zlib_decode($packed) === $text, @zlib_decode($packed, 100));
}
var_dump(gzinflate(gzdeflate($text, 9)) === $text, gzuncompress(gzcompress($text, 1)) === $text, gzdecode(gzencode($text)) === $text);
var_dump(gzinflate("garbage"), gzuncompress(substr(gzcompress($text), 0, 20)));
$out = '';
$deflate = deflate_init(ZLIB_ENCODING_DEFLATE, ['level' => 6, 'dictionary' => 'quick brown']);
foreach (str_split($text, 1000) as $piece) {
    $out .= deflate_add($deflate, $piece, ZLIB_SYNC_FLUSH);
}
$out .= deflate_add($deflate, '', ZLIB_FINISH);
$inflate = inflate_init(ZLIB_ENCODING_DEFLATE, ['dictionary' => 'quick brown']);
$back = '';
foreach (str_split($out, 7) as $piece) {
    $back .= inflate_add($inflate, $piece);
}
var_dump($back === $text, inflate_get_status($inflate));
var_dump(inflate_add(inflate_init(ZLIB_ENCODING_DEFLATE), $out));
$name = tempnam(sys_get_temp_dir(), 'zlib');
$file = gzopen($name, 'w9');
var_dump(gzwrite($file, "line 1\nline 2\n"), gztell($file), gzseek($file, 20), gzputs($file, "end"), gzread($file, 1), gzclose($file));
var_dump(gzfile($name), readgzfile($name), file_get_contents("compress.zlib://$name", false, null, 7, 6));
file_put_contents($name, gzencode("one\n") . gzencode("two\n"));
$file = gzopen($name, 'r');
var_dump(gzgets($file), gzgetc($file), gzrewind($file), gzread($file, 100), gzeof($file), gzseek($file, 2), gzpassthru($file));
gzclose($file);
file_put_contents($name, "not compressed");
readgzfile($name);
echo "\n";
var_dump(gzopen($name, 'r+'), file_exists("compress.zlib://$name"));
unlink($name);
$stream = fopen('php://memory', 'w+');
$filter = stream_filter_append($stream, 'zlib.deflate', STREAM_FILTER_WRITE, ['window' => 31]);
fwrite($stream, $text);
stream_filter_remove($filter);
rewind($stream);
var_dump(gzdecode(stream_get_contents($stream)) === $text);
rewind($stream);
stream_filter_append($stream, 'zlib.inflate', STREAM_FILTER_READ, ['window' => 47]);
var_dump(stream_get_contents($stream) === $text);
foreach ([fn() => gzcompress('', 10), fn() => gzencode('', 1, 3), fn() => deflate_init(1), fn() => deflate_init(15, ['window' => 99]), fn() => new DeflateContext, fn() => deflate_add($deflate, '', 9)] as $f) {
    try {
        var_dump($f());
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
