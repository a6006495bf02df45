<?php
// Named arguments: order, defaults, variadics, spreading, errors.
function f($a, $b = 'B', ...$rest) { return json_encode(compact('a', 'b', 'rest')); }
echo f(b: 1, a: 2), f(1, b: 3), f(1, 2, 3, x: 4), f(a: 1, y: 2, z: 3), "\n";
echo f(...['b' => 1, 'a' => 2]), f(...[1, 2], ...[3, 'k' => 4]), f(1, ...['b' => 5]), "\n";
foreach ([
    fn() => f(1, a: 2),
    fn() => f(b: 2),
    fn() => f(...['a' => 1], ...['a' => 2]),
    fn() => f(...['a' => 1, 2]),
    fn() => strlen(str: 'x'),
    fn() => strlen(string: 'ok'),
    fn() => str_replace(subject: 'abc', search: 'b', replace: 'X'),
    fn() => g(c: 1),
    fn() => g(1, c: 3),
    fn() => g(1, 2, b: 3),
    fn() => number_format(1234.5, thousands_separator: ' '),
    fn() => in_array(strict: true, needle: '1', haystack: [1]),
    fn() => array_slice([1, 2, 3, 4], offset: 1, preserve_keys: true),
    fn() => json_encode(value: [1], flags: JSON_PRETTY_PRINT),
    fn() => (new C(y: 2))->y,
    fn() => C::make(z: 1),
    fn() => call_user_func('f', a: 1, b: 2),
    fn() => call_user_func_array('f', ['b' => 1, 'a' => 2]),
    fn() => call_user_func_array('f', [1, 'b' => 2]),
    fn() => max(1, 2, x: 3),
    fn() => array_merge([1], a: [2]),
    fn() => (function (...$args) { return json_encode(func_get_args()) . json_encode($args); })(1, k: 2),
    fn() => array_map(array: [1, 2], callback: fn($x) => $x + 1),
    fn() => htmlspecialchars('<a>"', double_encode: false, flags: ENT_NOQUOTES),
] as $i => $t) try { echo $i, ' ', var_export($t(), true), "\n"; } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
function g($a, $b = 'dflt', $c = 'C') { return "$a$b$c"; }
class C { public function __construct(public $x = 'dx', public $y = 'dy') {} static function make(...$a) { return json_encode($a); } }
function order($x, $y) { return "$x$y"; }
function e($v) { echo "[$v]"; return $v; }
echo order(y: e(1), x: e(2)), "\n";
function ref(&$a, &$b) { $a = 'A'; $b = 'B'; } ref(b: $q, a: $p); echo $p, $q, "\n";
class P { function m($one) { return "P$one"; } } class Q extends P { function m($uno) { return "Q$uno"; } }
try { echo (new Q)->m(one: 1); } catch (Error $e) { echo $e->getMessage(), "\n"; }
function opt($a = 1, $b = 2, $c = 3) { return func_num_args() . json_encode(func_get_args()); }
echo opt(c: 9), opt(b: 7), opt(), opt(1, c: 5), "\n";
function consts($a = self_const, $b = PHP_INT_SIZE . 'x') { return $a . $b; } const self_const = 'sc'; echo consts(b: 'bb'), consts(a: 'aa'), "\n";
class M { function __call($n, $a) { return json_encode($a); } } echo (new M)->x(1, two: 2, three: 3), "\n";
