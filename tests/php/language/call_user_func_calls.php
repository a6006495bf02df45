<?php
// call_user_func and call_user_func_array: references, named arguments, scopes, magic methods.

function add(array &$list, int $n) { $list[] = $n; return count($list); }
function opt($a, $b = 'b', ...$rest) { return json_encode([$a, $b, $rest]); }

$list = [1];
echo call_user_func('add', $list, 2), "\n";
echo json_encode($list), "\n";
echo call_user_func_array('add', [&$list, 3]), "\n";
echo json_encode($list), "\n";
echo call_user_func_array('add', [$list, 4]), "\n";
echo json_encode($list), "\n";

echo call_user_func('opt', b: 1, a: 2), "\n";
echo call_user_func_array('opt', ['a' => 1, 'c' => 3, 'd' => 4]), "\n";
echo call_user_func_array('opt', [1, 'b' => 5]), "\n";
try {
    call_user_func_array('opt', ['a' => 1, 2]);
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
try {
    call_user_func_array('opt', ['b' => 1]);
} catch (Error $e) {
    echo get_class($e), ': ', $e->getMessage(), "\n";
}
try {
    call_user_func('nowhere');
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
try {
    call_user_func_array([1, 2, 3], []);
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}

class Base {
    private function hidden() { return 'hidden of ' . static::class; }
    public function reach() { return [call_user_func([$this, 'hidden']), call_user_func('self::named'), call_user_func([static::class, 'named'])]; }
    public static function named() { return 'named by ' . static::class; }
    public function __call($name, $args) { return "$name(" . json_encode($args) . ')'; }
    public static function __callStatic($name, $args) { return "::$name(" . json_encode($args) . ')'; }
}
class Child extends Base {
}
print_r((new Child)->reach());
echo call_user_func([new Child, 'what'], 1, x: 2), "\n";
echo call_user_func('Child::what', 1, 2), "\n";
echo call_user_func_array([new Child, 'hidden'], [7]), "\n";

function frames() { foreach (debug_backtrace() as $f) echo $f['function'], isset($f['line']) ? ":{$f['line']}" : '', ' '; echo "\n"; }
call_user_func('frames');
call_user_func_array('frames', []);
array_map('frames', [1]);
