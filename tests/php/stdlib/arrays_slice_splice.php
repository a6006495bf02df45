<?php
// array_slice, array_splice, array_chunk, array_pad, array_fill, array_fill_keys, range-like construction.
require __DIR__ . '/inc/show.php';
$k = ['a' => 1, 5 => 'five', 'b' => 2, 9 => 'nine'];
each('array_slice', [[1, 2, 3, 4, 5], 1], [[1, 2, 3, 4, 5], -2], [[1, 2, 3, 4, 5], 1, 2], [[1, 2, 3, 4, 5], 1, -1], [[1, 2, 3, 4, 5], -3, 2], [[1, 2, 3], 5], [[1, 2, 3], -5, 2], [[1, 2, 3], 0, 0], [[1, 2, 3], 1, null, true], [$k, 1], [$k, 1, 2, true], [$k, -1, 1], [[], 0], [[1, 2, 3], 0, -5], [[1, 2, 3], 'x'], [[1, 2], 0, null], [$k, 0, 100]);
$sp = function (array $a, ...$r) { $out = array_splice($a, ...$r); return ['removed' => $out, 'left' => $a]; };
each($sp, [[1, 2, 3, 4], 1], [[1, 2, 3, 4], 1, 2], [[1, 2, 3, 4], -1, 1, ['x', 'y']], [[1, 2, 3, 4], 1, -1, 'z'], [[1, 2, 3, 4], 0, 0, ['new']], [[1, 2], 5, 1, ['end']], [$k, 1, 2, ['r1', 'k' => 'r2']], [$k, 0, 1], [[], 0, 0, [1]], [[1, 2, 3], 1, null, ['n']], [[1, 2, 3], -5, 1], [[1, 2, 3], 1, 1, [[]]], [[1, 2, 3], 1, 1, null], [[3 => 'a', 1 => 'b'], 1, 0, 'ins']);
each('array_chunk', [[1, 2, 3, 4, 5], 2], [$k, 3], [$k, 3, true], [[], 2], [[1], 5], [[1, 2], 0], [[1, 2], -1]);
each('array_pad', [[1], 3, 0], [[1], -3, 0], [[1, 2], 1, 0], [$k, 6, 'p'], [$k, -5, 'p'], [[], 2, null]);
each('array_fill', [5, 3, 'x'], [-5, 3, 'x'], [0, 0, 'x'], [0, -1, 'x'], [3, 1, []], [PHP_INT_MAX, 1, 'x']);
each('array_fill_keys', [['a', 5, '5', 'b'], 0], [[], 1], [[1.5, true, null], 'v'], [[[1]], 'v']);
each('array_flip', [['a', 1, 'b']], [['x' => 'a', 'y' => 'a']], [[1.5, null, true, 'k']], [[]]);
each('array_combine', [['a', 'b'], [1, 2]], [[], []], [[1, 1], ['x', 'y']], [['a'], [1, 2]], [[null, true, 1.7], [1, 2, 3]]);
$mut = fn(string $fn) => function (array $a, ...$r) use ($fn) { $res = $fn($a, ...$r); return [$res, $a]; };
echo "push\n"; each($mut('array_push'), [[1], 2, 3], [[], [1]], [[5 => 'a'], 'b'], [['k' => 1], 'x'], [[1]], [[PHP_INT_MAX => 1], 2]); echo "pop\n"; each($mut('array_pop'), [[1, 2]], [[]], [['k' => 'v', 'l' => 'w']], [[5 => 'a', 6 => 'b']]); echo "shift\n"; each($mut('array_shift'), [[1, 2]], [[]], [['k' => 'v', 5 => 'w', 9 => 'x']], [[3 => 'a']], [['1' => 'x', 'a' => 'y']]); echo "unshift\n"; each($mut('array_unshift'), [[1], 0], [['k' => 'v', 5 => 'w'], 'a', 'b'], [[]], [[], 1]); $a = [1, 2, 3]; array_pop($a); $a[] = 'n';
show('next index after pop', $a); array_shift($a); $a[] = 'm';
show('after shift', $a); $h = [5 => 'a']; array_pop($h); $h[] = 'z';
show('after pop to empty', $h);
each('array_key_first', [[]], [$k], [[3 => 1]]);
each('array_key_last', [[]], [$k]);
each('array_is_list', [[]], [[1, 2]], [[1 => 1]], [[0 => 'a', 2 => 'b']], [['0' => 'x']]);
