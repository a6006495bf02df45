<?php
// What builtins complain of first, and what they have done by then.
function t(callable $f) { try { var_dump($f()); } catch (Throwable $e) { do { echo get_class($e), ': ', $e->getMessage(), "\n"; } while ($e = $e->getPrevious()); } }
t(fn() => str_replace([''], [[]], '1'));
t(fn() => str_ireplace([null], [2 => []], '1'));
t(fn() => str_replace(['a'], [2 => []], 'b'));
t(function () { $n = 5; try { str_replace([new stdClass], 1, 1, $n); } finally { var_dump($n); } });
t(function () { $n = 5; try { preg_replace('/a/', 'b', [new stdClass], 1, $n); } finally { var_dump($n); } });
t(fn() => vsprintf('%2$s %1$s', [new stdClass]));
t(fn() => sprintf('%s %s', new stdClass));
t(fn() => sprintf('%s %z', new stdClass, 1));
t(fn() => sprintf('%s %0$s', new stdClass));
t(fn() => preg_replace_callback_array([7 => 1], 1));
t(fn() => preg_replace_callback_array([7 => 'strlen'], 1));
t(fn() => preg_replace_callback(['1', []], fn($x) => 'x', '1'));
t(function () { try { preg_match('/a/', 'b', $m, 7); } finally { var_dump($m); } });
t(function () { preg_match('a', 'b', $m); var_dump($m); });
t(function () { try { preg_match_all('/a/', 'b', $m, 7777); } finally { var_dump($m); } });
t(fn() => current(new ArrayIterator([1, 2])));
t(fn() => key((object) [1, 2]));
t(fn() => key(new ArrayObject([1])));
t(fn() => mb_decode_numericentity('a', [1]));
t(fn() => mb_encode_numericentity('a', [1, 2, 3, 'x']));
t(fn() => array_key_exists([], []));
t(fn() => key_exists([], []));
