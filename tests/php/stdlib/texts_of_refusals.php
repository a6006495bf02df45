<?php
// Messages keep the bytes of names, call closed resources resources, and escape what is not printable where PHP does.
set_error_handler(function ($level, $message) {
    echo "[$level: ", bin2hex($message) === '' ? '' : addcslashes($message, "\0..\37\177..\377"), '] ';
    return true;
});
function told(callable $run): void {
    try {
        echo json_encode($run()), "\n";
    } catch (Throwable $e) {
        echo $e::class, ': ', addcslashes($e->getMessage(), "\0..\37\177..\377"), "\n";
    }
}
$closed = fopen('php://memory', 'r');
fclose($closed);
told(fn() => strlen($closed));
told(fn() => array_sum(...[$closed]));
told(fn() => 1 + $closed);
told(fn() => gettype($closed) . get_debug_type($closed));
foreach (["\xff", ["\xff", 'a'], ['Exception', "\xff"], "\xfe::a", 'a::b::c', ['Exception', 'getMessage']] as $name) {
    told(fn() => array_map($name, [1]));
    told(fn() => call_user_func($name));
    told(fn() => Closure::fromCallable($name));
    told(fn() => array_udiff([1], [2], $name));
}
told(fn() => pack("\xff"));
told(fn() => unpack("\xff", 'a'));
foreach (["\u{e9}", "1\u{e9}", "a\\b", "1\tz", "\x1bq", "0q", '1 x M'] as $size) {
    told(fn() => ini_parse_quantity($size));
}
told(fn() => ini_set('precision', []));
told(fn() => ini_alter('precision', new stdClass));
told(fn() => number_format('x'));
told(fn() => number_format([]));
told(fn() => number_format('9007199254740993', 1));
told(fn() => range(-INF, 1));
told(fn() => range(1, NAN));
told(fn() => range(1, 5, -INF));
told(fn() => stream_filter_append(fopen('php://memory', 'w+'), 'nosuch'));
told(fn() => file_get_contents('php://filter/read=nosuch/resource=data:,x'));
told(fn() => readlink(''));
told(fn() => iptcembed('a', ''));
told(fn() => error_log('x', 2));
