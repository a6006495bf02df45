<?php
// Autoloaders that declare, recurse, throw, unregister themselves, or change what is being looked up.
spl_autoload_register($f = function ($c) use (&$f) {
    echo "<$c> ";
    switch ($c) {
        case 'Self1': class_exists('Self1'); eval('class Self1 {}'); break;
        case 'Chain1': new Chain2; eval('class Chain1 { const V = "c1" . Chain2::V; }'); break;
        case 'Chain2': eval('class Chain2 extends Chain3 { const V = "c2"; }'); break;
        case 'Chain3': eval('class Chain3 { }'); break;
        case 'CycleA': eval('class CycleA extends CycleB {}'); break;
        case 'CycleB': eval('class CycleB extends CycleA {}'); break;
        case 'Throws': throw new RuntimeException('loader failed');
        case 'Unreg': spl_autoload_unregister($f); eval('class Unreg {}'); spl_autoload_register($f); break;
        case 'Unsets': unset($GLOBALS['o']); eval('class Unsets { static function s($x) { return "called with " . gettype($x); } public static $p = 1; const C = 2; }'); break;
        case 'Iface': eval('interface Iface { const I = Throws2::X; }'); break;
        case 'Trait1': eval('trait Trait1 { use Trait2; }'); break;
        case 'Trait2': eval('trait Trait2 { function t() { return __TRAIT__; } }'); break;
        case 'Enum1': eval('enum Enum1: string { case A = Self1::class; }'); break;
        case 'Parse': eval('class Parse {'); break;
        case 'Wrong': eval('class NotWrong {}'); break;
    }
});
$o = [1]; foreach ([fn() => new Self1, fn() => Chain1::V, fn() => new CycleA, fn() => new Throws, fn() => class_exists('Throws'), fn() => Throws::X, fn() => Throws::f(print 'args evaluated? '), fn() => new Throws(print 'ctor args? '), fn() => new Unreg, fn() => Unsets::s($GLOBALS['o'] ?? 'gone'), fn() => Unsets::$p . Unsets::C, fn() => Iface::I, fn() => eval('return (new class { use Trait1; })->t();'), fn() => Enum1::A->value, fn() => new Parse, fn() => new Wrong, fn() => unserialize('O:6:"Throws":0:{}'), fn() => is_callable('Throws::x'), fn() => call_user_func('Throws::x'), fn() => array_map('Throws::x', [1]), fn() => is_subclass_of('Throws', 'Self1'), fn() => 'x' instanceof Throws, fn() => (function (Throws $x) {})(1), fn() => constant('Throws::X'), fn() => new ReflectionClass('Throws'), fn() => eval('class Ext extends Throws {}'), fn() => eval('class Ext2 implements Throws {}'), fn() => eval('try { throw new Exception("e"); } catch (Throws $t) {}'), fn() => spl_autoload_call('Throws'), fn() => iterator_to_array(new Throws), fn() => defined('Throws::X'), fn() => method_exists('Throws', 'x'), fn() => property_exists('Throws', 'x')] as $i => $t)
    try { echo $i, ': '; $r = $t(); echo is_object($r) ? get_class($r) : json_encode($r), "\n";
} catch (Throwable $e) { echo get_class($e), ' ', $e->getMessage(), "\n";
}
