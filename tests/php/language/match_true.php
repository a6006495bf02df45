<?php
function t($f) { try { var_dump($f()); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
foreach ([1, 5, 10, null, 'a', true] as $x) {
t(fn() => match (true) { $x === 1 => 'one', $x > 7, $x === null => 'big', default => 'else' });
t(fn() => match (true) { $x === 1 => 'one', $x > 7 => 'big' });
t(fn() => match (false) { $x === 1 => 'not one', $x > 7, $x === null => 'big', default => 'else' });
t(fn() => match (true) { $x => 'x', 1 => 'y', !$x => 'not', isset($x) && $x => 's', default => 'd' });
t(fn() => match (true) { $x instanceof Countable, is_string($x), $undef => 's', empty($x) => 'e', default => 'd' });
t(fn() => match (true) { default => 'd', $x == 1 || $x == 5 => 'or', $x && !$x => 'and', true => 'true' });
t(fn() => match (false) { $x == 1 || $x == 5 => 'or', $x && !$x => 'and' });
t(fn() => match (true) { 1 => 2, 'a' => 3 });
t(fn() => match (true) { false => 2, null => 3, true => 4, $x > 1 => 5 });
t(fn() => match (!0) { $x > 1 => 5, $x < 3
   , $x == 4 => 6, });
}
t(fn() => match (true) { throw new Exception('t') => 1 });
t(fn() => match (true) {
   $u1 => 1,
   $u2 > 3, $u3 === 4 => 2,
   (fn() => $u4)() =>
   3,
});
function g($x) { return match (true) { $x > 3 => throw new Exception('x'), $x > 1 => 1, }; }
t(fn() => g(5)); t(fn() => g(2)); t(fn() => g(0));
for ($i = 0; $i < 3; $i++) { echo match (true) { $i === 0 => 'zero', $i === 1 => 'one', default => 'more' }, "\n"; }
