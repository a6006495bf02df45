<?php
// After memory_limit the frames are gone and the global variables are there: shutdown functions see them, at the end they are freed once.
ini_set('memory_limit', '8M');
ini_set('display_errors', '0');
$kept = ['text' => str_repeat('k', 3), 'object' => new ArrayObject([1, 2])];
$other = str_repeat('o', 4);
function fill(): array
{
    $a = $b = $c = $d = [1, 2, 3];
    $e = [$a, $b, str_repeat('x', 100)];
    return [$a, $b, $c, $d, $e];
}
register_shutdown_function(function () {
    fill();
    global $kept, $other;
    echo substr(error_get_last()['message'], 0, 44), ' on line ', error_get_last()['line'], "\n";
    var_dump($kept['text'], count($kept['object']), $other, isset($GLOBALS['big']), isset($GLOBALS['included']));
    $other = fill();
    $GLOBALS['new'] = fill();
});
register_shutdown_function(function () {
    fill();
    var_dump(count($GLOBALS['new']), count($GLOBALS['other']));
});
function generate()
{
    $big = [];
    while (true) {
        $big[] = yield str_repeat('x', 100000);
    }
}
$fiber = new Fiber(function () {
    include __DIR__ . '/inc/global_in_fiber.php';
    (function () {
        global $big;
        $big = [];
        foreach (generate() as $value) {
            $big[] = $value;
        }
    })();
});
$fiber->start();
