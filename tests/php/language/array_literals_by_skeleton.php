<?php
// Array literals whose keys are constant: what is not constant goes where it belongs, in the order of evaluation.
function say($x) { echo "[$x]"; return $x; }
function f($i, &$r) {
    var_dump(['a' => say($i), 'b' => 2, 'c' => say('c')], [say(1), 2, say(3)], [5 => $i, 'x' => 1, 6 => say(7), 8], [3 => $i, 1 => 2, 4]);
    var_dump([[1, $i], ['k' => [$i, null]]], ['r' => &$r, 's' => $r], [$i => 1, 2 => 3], ['a' => $i, 'a' => 2], [true => $i, '7' => $i, null => 3, 1.0 => 4]);
    $a = [$i, $i, $i]; $a[] = 4; $b = ['x' => $i, 'y' => 0]; $b['z'] = 1; unset($b['x']); $b['x'] = 2;
    var_dump($a, $b, [...[1, 2], $i], [$undefined, 'u' => $undefined], count([$i, null ?? 5, PHP_VERSION_ID > 1, __LINE__]));
    $r = 9;
    try { $never = ['first' => $i, 'second' => say(thrown())]; } catch (Exception $e) { echo $e->getMessage(), "\n"; }
    var_dump(isset($never));
}
function thrown() { throw new Exception('thrown'); }
$r = 1;
f(0, $r);
f('s', $r);
for ($i = 0; $i < 3; $i++) { $kept[] = ['n' => $i, 'same' => true]; }
$kept[1]['same'] = false;
var_dump($kept);
function gen() { $x = [yield 1, 'k' => yield 2]; var_dump($x); }
$g = gen(); $g->current(); $g->send('one'); $g->send('two');
