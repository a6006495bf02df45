<?php
// What the patterns and replacements of preg_replace become, and what is still looked at when one of them throws.
function t($f) { try { var_dump($f()); } catch (Error $e) { echo get_class($e), $e->getMessage(), ' on line ', $e->getLine(), "\n"; } }
$o = new stdClass;
t(fn() => preg_replace([$o], ['x'], 1));
t(fn() => preg_replace([$o], [[]], 1));
t(fn() => preg_replace([$o], 'x', 1));
t(fn() => preg_replace([$o, [], '/1/'], ['x', [], 'e'], 1));
t(fn() => preg_replace([$o, [], '/1/'], ['x', [], 'e'], [1, [], 2]));
t(fn() => preg_replace([[], $o, [], '/1/'], [[], 'x', [], 'e'], [1, [], 2]));
t(fn() => preg_replace(['/1/', $o, [], '/1/'], [$o, 'x', [], 'e'], [1, [], 2]));
t(fn() => preg_replace(['/1/', '/2/', [], '/1/'], [$o, [], [], 'e'], [1, [], 2]));
set_error_handler(function($n, $m) { throw new Exception($m); });
function t2($f) { try { var_dump($f()); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), ' on line ', $e->getLine(), "\n"; echo $e->getPrevious() ? get_class($e->getPrevious()) : '-', "\n"; } }
class TS { function __toString() { echo "ts "; return '/x/'; } } class TT { function __toString() { echo "tt "; throw new Exception('tt'); } }
foreach ([1, [1, 2]] as $sub) {
t2(fn() => preg_replace([$o], ['x'], $sub));
t2(fn() => preg_replace([[], new TS], [$o, 'u'], $sub));
t2(fn() => preg_replace([new TS, new TT], ['x', 'y'], $sub));
t2(fn() => preg_replace([new TT, new TS], ['x', new TS], $sub));
t2(fn() => preg_replace(['/1/', new TS], [new TT, new TS], $sub));
t2(fn() => preg_replace([[], '/1/'], 'x', $sub));
t2(fn() => preg_replace([[], '/1/'], new TS, $sub));
}
t2(fn() => preg_replace([$o], ['x'], [1, [], $o, new TS]));
t2(fn() => preg_replace(['/1/'], ['x'], [1, [], $o, new TS]));
t2(fn() => preg_filter([$o], ['x'], [1, [], $o, new TS]));
