<?php
// Constant expressions are no calls: their entry comes first in a trace, with the place of the running code.
ini_set('zend.exception_ignore_args', 1);
function thrower() {
    throw new Exception('thrown');
}
class Text {
    function __toString() {
        if (defined('FAILS')) {
            thrower();
        }
        return 'x';
    }
}
define('TEXT', new Text);
const FAILS = true;
class Plain { const A = MISSING; public $p = MISSING; }
class Works {
    const A = TEXT . 'a';
    const B = self::A . 'b';
    const C = 1 % 0;
    const D = [self::C];
    const E = self::F;
    const F = self::E;
    const G = Loaded::X;
    public $p = self::A;
    static $s = self::A;
}
spl_autoload_register(function ($name) {
    throw new Exception("loading $name");
});
$tests = [
    'constant' => fn() => Plain::A,
    'default' => fn() => new Plain,
    'call' => fn() => Works::A,
    'constant of constant' => fn() => Works::B,
    'error' => fn() => Works::C,
    'nested error' => fn() => Works::D,
    'circle' => fn() => Works::E,
    'autoload' => fn() => Works::G,
    'object' => fn() => new Works,
    'static' => fn() => Works::$s,
    'builtin' => fn() => constant('Works::A'),
];
foreach ($tests as $name => $test) {
    echo "== $name\n";
    try {
        $test();
    } catch (Throwable $e) {
        echo $e->getMessage(), "\n", str_replace(__DIR__, '', $e->getTraceAsString()), "\n";
    }
}
// What is thrown while a constant expression is evaluated has its place, also in the functions that it calls.
function place(callable $what) {
    try {
        $what();
    } catch (Throwable $t) {
        echo $t->getMessage(), ' in line ', $t->getLine(), ', traced from ', $t->getTrace()[0]['function'] === '[constant expression]' ? 'there' : 'code', "\n";
    }
}
class PlaceA { public $p = [1.7 => 3]; }
class PlaceB { public static $p =
    [1.7 => 3]; }
class PlaceC { public $p = [1.7 => 3]; }
class PlaceD { public $p = NotThere::X; }
function throw_it() {
    throw new Exception('thrown');
}
set_error_handler(function ($n, $m) {
    throw new ErrorException($m, $n);
});
place(fn() => new PlaceA);
place(fn() => PlaceB::$p);
place(function () { static $x = [1.7 => 3]; });
place(function ($a = [1.8 => 1]) { });
set_error_handler(function ($n, $m) {
    throw_it();
});
place(fn() => new PlaceC);
place(function ($a = [1.8 => 1]) { });
spl_autoload_register(function ($c) {
    throw new Exception("no $c");
});
place(fn() => new PlaceD);
