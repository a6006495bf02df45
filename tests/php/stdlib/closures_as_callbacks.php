<?php
// Every form of callable given to builtins, their errors and argument passing.
require __DIR__ . '/inc/show.php';
class C { public $k = 2; function m($x) { return $x * $this->k; } static function s($x) { return "s$x"; } private function p($x) { return "p$x"; } function __invoke($x) { return "inv$x"; } function viaThis() { return array_map([$this, 'p'], [1]); } function viaSelf() { return array_map('self::s', [1]); } function viaParent() { return array_map(self::s(...), [2]); } static function viaStatic() { return array_map([static::class, 's'], [3]); } }
class D extends C { static function s($x) { return "D$x"; } }
class Magic { function __call($n, $a) { return "$n(" . implode(',', $a) . ')'; } static function __callStatic($n, $a) { return "::$n(" . implode(',', $a) . ')'; } }
$c = new C;
foreach (['strtoupper', 'C::s', ['C', 's'], [$c, 'm'], [$c, 's'], $c, fn($x) => "arrow$x", strlen(...), $c->m(...), C::s(...), [new Magic, 'any'], ['Magic', 'any'], 'Magic::any', new class { function __invoke($x) { return "anon$x"; } }, 'D::s', ['D', 'parent::s'], [new D, 'parent::s'], '\strtolower', 'STRREV'] as $cb) each('array_map', [$cb, ['12', '3']]);
foreach (['nope', 'C::nope', ['C', 'nope'], ['Nope', 'x'], [$c, 'p'], ['C', 'm'], 'C::m', [], ['C'], ['C', 's', 'x'], 5, null, '', 'C::', '::s', [5, 's'], ['C', 5], new stdClass, 'Nope::x', 'echo', [$c, 'nope'], 'a b', 'C->m'] as $cb) { each('call_user_func', [$cb, 1]); show('is_callable', is_callable($cb), is_callable($cb, true)); }
show('inside', $c->viaThis(), @$c->viaSelf(), $c->viaParent(), D::viaStatic());
each('call_user_func_array', ['max', [1, 9, 3]], ['C::s', ['x' => 5]], ['C::s', ['nope' => 5]], [fn($a, $b = 'B', ...$r) => [$a, $b, $r], [1, 2, 3, 4]], [fn($a, $b = 'B', ...$r) => [$a, $b, $r], ['b' => 1, 'a' => 2, 'z' => 3]], [fn($a) => $a, []], ['strlen', ['a', 'b']], ['strlen', 'notarray']);
function ref(&$x) { $x = 'changed'; return $x; }
$v = 'orig'; each('call_user_func', ['ref', $v]); call_user_func_array('ref', [&$v]); show('by reference', $v);
show('func_get_args', (function () { return array_map('func_get_args_test', [1, 2]); })());
function func_get_args_test() { return func_get_args(); }
$list = [3, 1, 2]; usort($list, [new class { function cmp($a, $b) { return $a <=> $b; } }, 'cmp']); show('usort', $list);
show('preg', preg_replace_callback('/\d/', [$c, 'm2'] [0] === $c ? fn($m) => $c->m($m[0]) : null, 'a1b2'));
show('iterator_apply', iterator_apply($it = new ArrayIterator([1, 2, 3]), function ($i) { echo $i->current(), ' '; return $i->current() < 2; }, [$it]));
register_shutdown_function([$c, 's'], 'shutdown');
register_shutdown_function(function (...$a) { echo v($a), "\n"; }, 1, 2);
each('register_shutdown_function', ['nope']);
each('spl_autoload_register', ['nope'], [5]);
each('array_filter', [[1, 2], 'C::nope']); each('array_walk', [[1], 'nope']); each('ob_start', ['nope']); ob_end_clean();
each('header_register_callback', [fn() => 1]); each('set_error_handler', ['nope']); each('set_exception_handler', [[1, 2]]); each('forward_static_call_array', ['C::s', [1]]); each('is_callable', ['']);
