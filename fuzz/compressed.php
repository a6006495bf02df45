<?php
// The first byte of the input says what the rest is, the second one gives numbers.
$number = ord($input[1] ?? '');
$rest = substr($input, 2);
$encodings = [ZLIB_ENCODING_RAW, ZLIB_ENCODING_GZIP, ZLIB_ENCODING_DEFLATE];
$pieces = str_split($rest, 1 + ($number >> 3));

// A wrong answer: the harness looks for this status.
function wrong(): never
{
    exit(99);
}

try {
    switch ($input[0] ?? '') {
        case 'i':
            @gzinflate($rest);
            @gzinflate($rest, $number);
            break;
        case 'z':
            @gzuncompress($rest);
            @gzuncompress($rest, $number);
            break;
        case 'g':
            @gzdecode($rest);
            @gzdecode($rest, $number);
            break;
        case 'd':
            @zlib_decode($rest);
            break;
        case 'p':
            // In pieces it is what it is as a whole.
            $encoding = $encodings[$number % 3];
            $context = inflate_init($encoding);
            $all = '';
            foreach ($pieces as $piece) {
                $part = @inflate_add($context, $piece, ZLIB_SYNC_FLUSH);
                if ($part === false || strlen($all) > 1 << 20) {
                    break;
                }
                $all .= $part;
                if (inflate_get_status($context) === ZLIB_STREAM_END) {
                    break;
                }
            }
            $whole = match ($encoding) {
                ZLIB_ENCODING_RAW => @gzinflate($rest),
                ZLIB_ENCODING_GZIP => false,
                ZLIB_ENCODING_DEFLATE => @gzuncompress($rest),
            };
            if (is_string($whole) && strlen($all) < 1 << 20 && $whole !== $all) {
                wrong();
            }
            inflate_get_read_len($context);
            break;
        case 'o':
            $options = ['window' => 8 + $number % 8, 'dictionary' => explode("\0", rtrim($rest, "\0"))];
            $context = @inflate_init($encodings[$number % 3], $options);
            foreach ($pieces as $piece) {
                if (@inflate_add($context, $piece, $number & 1 ? ZLIB_SYNC_FLUSH : ZLIB_NO_FLUSH) === false) {
                    break;
                }
            }
            break;
        case 'r':
            // There and back again.
            if (gzinflate(gzdeflate($rest, $number % 11 - 1)) !== $rest || gzdecode(gzencode($rest, $number % 11 - 1)) !== $rest) {
                wrong();
            }
            $context = deflate_init($encodings[$number % 3], ['level' => $number % 10, 'memory' => 1 + $number % 9, 'strategy' => $number % 5]);
            $flushes = [ZLIB_NO_FLUSH, ZLIB_PARTIAL_FLUSH, ZLIB_SYNC_FLUSH, ZLIB_FULL_FLUSH, ZLIB_BLOCK];
            $all = '';
            foreach ($pieces as $n => $piece) {
                $all .= deflate_add($context, $piece, $flushes[($n + $number) % 5]);
            }
            $all .= deflate_add($context, '', ZLIB_FINISH);
            if (zlib_decode($all) !== $rest && $encodings[$number % 3] !== ZLIB_ENCODING_RAW) {
                wrong();
            }
            break;
        case 'f':
            $stream = fopen('php://memory', 'w+');
            fwrite($stream, $rest);
            rewind($stream);
            @stream_filter_append($stream, 'zlib.inflate', STREAM_FILTER_READ, ['window' => [-15, 15, 31, 47][$number % 4]]);
            $read = 0;
            while (!feof($stream) && $read < 1 << 20) {
                $part = @fread($stream, 1 + $number);
                if ($part === false || $part === '') {
                    break;
                }
                $read += strlen($part);
            }
            fclose($stream);
            $stream = fopen('php://memory', 'w+');
            $filter = @stream_filter_append($stream, $number & 1 ? 'zlib.inflate' : 'zlib.deflate', STREAM_FILTER_WRITE, -15);
            foreach ($pieces as $piece) {
                @fwrite($stream, $piece);
            }
            @stream_filter_remove($filter);
            rewind($stream);
            @stream_get_contents($stream, 1 << 20);
            break;
        default:
            $path = sys_get_temp_dir() . '/jumbo-fuzz-' . getmypid() . '.gz';
            file_put_contents($path, $rest);
            $file = @gzopen($path, 'r');
            @gzgets($file, 100);
            @gzseek($file, $number * 50);
            @gzgetc($file);
            @gzread($file, 1000);
            @gzrewind($file);
            @gzeof($file);
            @gztell($file);
            @gzpassthru($file);
            gzclose($file);
            @file_get_contents("compress.zlib://$path", false, null, $number, 1 << 20);
            unlink($path);
    }
} catch (Throwable) {
}
