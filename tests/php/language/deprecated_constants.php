<?php
// A deprecated constant is reported at each use, also in a namespace, by constant() and in constant expressions; $GLOBALS is a value for
// builtins that would rather have a reference.
namespace App {
    class Levels { const OLD = \E_STRICT; public int $level = \E_STRICT; }
    function level() { return E_STRICT; }
}
namespace {
    set_error_handler(function ($n, $text) { echo "$n: $text\n"; return true; });
    var_dump(E_STRICT, App\level(), App\level(), constant('E_STRICT'), defined('E_STRICT'), App\Levels::OLD, (new App\Levels)->level);
    var_dump(E_ALL & ~E_STRICT, define('E_STRICT', 1));
    $visible = 'seen';
    function of_globals(array $all) { return isset($all['visible']); }
    var_dump(of_globals($GLOBALS), array_key_exists('visible', $GLOBALS));
}
