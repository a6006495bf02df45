<?php
// Named arguments go on to the fiber's function, which is given up when it has returned.
class Told { function __destruct() { echo "gone\n"; } }
$fiber = new Fiber(function (int $x, $y = 'default', ...$more) { var_dump($x, $y, $more); return Fiber::suspend($x); });
var_dump($fiber->start(y: 2, x: 1));
var_dump($fiber->resume('end'), $fiber->getReturn());
$fiber = new Fiber(function (int $x, ...$more) { var_dump($x, $more); });
$fiber->start(1, 2, z: 3);
$fiber = new Fiber(function () {});
try {
    $fiber->start(unknown: 1);
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
$told = new Told;
$fiber = new Fiber(function () use ($told) { Fiber::suspend(); });
unset($told);
$fiber->start();
echo "suspended\n";
$fiber->resume();
echo "ended\n";
