<?php
// The first static property, and the first instance, have all of the class evaluated: constants, defaults, static properties.
trait C0 {
    public static $s0 = null;
    public $p1 = [1.7 => -INF];
}
class C1 {
    public $p1 = [1.8 => -INF];
    const A = [1.9 => M_PI];
    static $s = [1.5 => 2];
    function f($x = [2.5 => INF]) { static $y = [5.5 => 1]; return [6.5 => 1]; }
}
class C2 {
    public static $s0 = [];
    private $p2 = (-2.5 / 0);
}
class C3 extends C2 {
    public static $s1 = 1;
}
echo "begin\n";
C0::$s0;
new C1;
C1::A;
(new C1)->f();
foreach ([fn() => C2::$s0, fn() => C3::$s1, fn() => C2::$s0 = 5, fn() => new C2, fn() => isset(C2::$s0)] as $f) {
    try { var_dump($f()); } catch (Error $e) { echo $e->getMessage(), "\n"; }
}
