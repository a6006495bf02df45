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
