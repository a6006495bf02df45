<?php
// Builtins that compare with __toString or cast operators, and whose conversions change the input.
class S { static $n = 0; function __construct(public $v) {}
function __toString(): string { self::$n++; if (self::$n === 2) $GLOBALS['other'] = 'side effect'; return (string) $this->v; } }
foreach (['sort', 'rsort', 'asort', 'arsort'] as $f) { S::$n = 10; $arr = [new S('c'), new S('a'), new S('b')]; $f($arr, SORT_STRING); echo $f, ' ', is_array($arr) ? implode(',', array_map('strval', $arr)) : $arr, "\n";
}
S::$n = 0; $arr = ['x' => new S('1'), 'y' => '1', 'z' => new S('2')]; echo json_encode(array_keys(array_unique($arr))), "\n";
S::$n = 0; $arr = [new S('a'), 'b']; var_dump(in_array('b', $arr), array_search('a', [new S('z'), new S('a')]), array_keys(['p' => new S('k'), 'q' => 'n'], 'k')); S::$n = 0; $arr = [new S('k1'), new S('k2'), new S('k3')]; echo implode('-', $arr), ' ', is_array($arr) ? 'array' : $arr, "\n";
S::$n = 0; $arr = [new S('x'), new S('y')]; echo json_encode(array_combine($arr, [1, 2])), json_encode(array_fill_keys([new S('f'), new S('g')], 0)), "\n";
S::$n = 0; $arr = ['a' => new S('a')]; echo json_encode(array_diff([new S('a'), 'b', new S('c')], ['c'])), json_encode(array_intersect(['a', 'z'], [new S('a')])), "\n";
echo max([new S('b'), 'c']), min('b', new S('a')), "\n";
S::$n = 0; echo str_replace([new S('a'), 'b'], [new S('1'), new S('2')], 'aabb'), sprintf('%s|%5s|%d', new S('s'), new S('t'), '7x'), strtr('abc', ['a' => new S('Z')]), substr_count(new S('aXaX'), new S('aX')), "\n";
class Thr { function __toString(): string { throw new Exception('T'); } } foreach ([fn() => sort_($x = ['a', new Thr]), fn() => implode(',', ['a', new Thr, 'never']), fn() => in_array('x', ['y', new Thr]), fn() => array_unique(['a', new Thr]), fn() => array_combine(['a', new Thr], [1, 2]), fn() => array_fill_keys([new Thr], 1), fn() => array_diff(['a'], [new Thr]), fn() => str_replace('a', new Thr, 'abc'), fn() => sprintf('%s %s', 'a', new Thr), fn() => strtr('abc', ['a' => new Thr]), fn() => array_sum([1, new Thr]), fn() => join(new Thr, [1, 2]), fn() => explode(',', new Thr), fn() => max('a', new Thr), fn() => trim(new Thr), fn() => ucfirst(new Thr), fn() => preg_replace('/a/', new Thr, 'a'), fn() => preg_match(new Thr, 'x'), fn() => file_put_contents('php://memory', new Thr), fn() => number_format(new Thr), fn() => htmlspecialchars(new Thr), fn() => printf('%s', new Thr), fn() => define('DC', new Thr), fn() => setlocale(LC_ALL, new Thr), fn() => array_flip([new Thr]), fn() => array_column([['k' => new Thr]], 'k'), fn() => array_key_exists('a', [(string) new Thr => 1]), fn() => range(new Thr, 'c'), fn() => mb_strlen(new Thr), fn() => hash('md5', new Thr), fn() => fwrite(fopen('php://memory', 'w'), new Thr), fn() => echo_(new Thr), fn() => new DateTime(new Thr), fn() => call_user_func(new Thr), fn() => class_exists(new Thr), fn() => constant(new Thr), fn() => str_pad('x', 5, new Thr), fn() => wordwrap('aa', 1, new Thr), fn() => vsprintf('%s', [new Thr]), fn() => http_build_query(['a' => new Thr]), fn() => var_export(new Thr == 'x')] as $i => $f) try { echo $i, ' ', json_encode($f()), "\n";
} catch (Throwable $e) { echo get_class($e), ' ', $e->getMessage(), "\n";
}
function sort_($x) { sort($x); return count($x); }
function echo_($x) { echo $x; }
