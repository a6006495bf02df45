<?php
namespace Here;

// A name means the builtin until the namespace has a function of that name; what the arguments do happens once either way.
function effect($x) { echo "<$x>"; return $x; }
function traced($f) {
    try {
        $f();
    } catch (\Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), ' in line ', $e->getLine(), "\n", $e->getTraceAsString(), "\n";
    }
}
$code = <<<'CODE'
namespace Here\Part%d;
use function Here\effect;
function uses($x) {
    $a = [3, 1];
    return trim(effect($x)) . '|' . strtoupper(trim(strrev(effect($x)))) . '|' . (is_string($x) ? 'text' : 'none') . '|' . count($a, 0)
        . '|' . (array_key_exists('k', ['k' => $x]) ? implode(',', array_merge($a, [effect(5)])) : '');
}
function sorts() { $a = [3, 1, 2]; sort($a); echo implode(' ', $a), ' ', end($a), ' ', array_pop($a), ' ', count($a), "\n"; }
CODE;
for ($i = 0; $i < 2; $i++) {
    if ($i == 1) {
        include __DIR__ . '/builtins_in_namespaces.inc';
    }
    eval(\sprintf($code, $i));
    for ($j = 0; $j < 2; $j++) {
        echo ("Here\\Part$i\\uses")("  ab$j "), "\n";
        ("Here\\Part$i\\sorts")();
    }
}
traced(function () { return strlen([]); });
traced(function () { return count(5); });
traced(function () { return intval(new \stdClass, 'x'); });
traced(function () { return in_array(1, 'x'); });
traced(function () { return str_replace(); });
traced(function () { return array_map(fn($x) => throw new \Exception($x), ['e']); });
traced(function () { return call_user_func('Here\nowhere', 1); });
traced(function () { return call_user_func(fn() => throw new \Exception('called')); });
function undefined() {
    var_dump(str_pad($a,
        3,
        $b ?? 'x'), is_array($c), in_array($d,
        [null,
        $e]), gettype(
        $f));
}
set_error_handler(function ($n, $text, $file, $line) { echo "$text in line $line\n"; return true; });
undefined();
function caller() { var_dump(func_get_args(), func_num_args(), compact('x')); }
$x = 1;
caller(1, 2);
class Child { function name() { return get_class() . get_class($this) . get_called_class() . get_parent_class($this); } }
var_dump((new Child)->name());
var_dump(\strlen('abc'), namespace\effect(1), defined('PHP_INT_MAX'), function_exists('Here\effect'), is_callable('Here\trim'));
