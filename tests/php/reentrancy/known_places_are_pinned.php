<?php
// A handler takes away the reference that a sum of known variables is written to.
set_error_handler(function ($level, $message) {
    echo $message, "\n";
    $GLOBALS['places'] = null;
    str_repeat('x', 24);
    return true;
});
function sums() {
    global $places;
    $places = ['a' => 1];
    for ($i = 0; $i < 3; $i++) {
        $sum = &$places['a'];
        $sum = 5;
        $sum = $nothing + $i;
        var_dump($sum);
        unset($sum);
        $places = ['a' => $i];
    }
}
sums();
$shown = function () {
    foreach (debug_backtrace() as $frame) {
        echo $frame['function'], ' ', isset($frame['object']) ? get_class($frame['object']) : '-', "\n";
    }
};
$shown->__invoke();
call_user_func([$shown, '__invoke']);
array_map([$shown, '__invoke'], [1]);
