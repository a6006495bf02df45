<?php
// Whatever begins with `php://temp` is a temporary stream; `php://memory` is exact. Case does not matter.

foreach (['php://temp', 'php://temp,', 'php://tempest', 'php://TEMP', 'php://temp/', 'php://temp/x', 'php://temp/maxmemory:5', 'php://temp/maxmemory:',
    'php://memory', 'php://memory/', 'php://memoryx', 'php://MEMORY', 'php://outputx', 'php://inputx'] as $name) {
    $stream = @fopen($name, 'w+');
    echo $name, ' ', $stream ? implode(' ', [stream_get_meta_data($stream)['stream_type'], fwrite($stream, 'abc'), rewind($stream), fread($stream, 9)]) : error_get_last()['message'], "\n";
}
