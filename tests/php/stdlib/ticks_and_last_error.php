<?php
// Tick functions, error_get_last(), time_sleep_until().
function tick(string $name): void
{
    echo "tick $name\n";
}
register_tick_function('tick', 'a');
$closure = function () {
    echo "closure\n";
};
register_tick_function($closure);
declare(ticks=1) {
    $x = 1;
    unregister_tick_function($closure);
    $y = 2;
}
unregister_tick_function('tick');
declare(ticks=1) {
    $z = 3;
}
var_dump(error_get_last());
@trigger_error('hidden', E_USER_WARNING);
$last = error_get_last();
$last['file'] = basename($last['file']);
var_dump($last);
error_clear_last();
var_dump(error_get_last());
var_dump(time_sleep_until(microtime(true) + 0.001));
var_dump(time_sleep_until(1.0));
try {
    register_tick_function('no_such_function');
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
var_dump(count(getrusage()), is_int(getmyinode()), is_int(getlastmod()), getmyuid() >= 0);
