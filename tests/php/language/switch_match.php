<?php
// switch compares loosely and falls through; match compares strictly and must hit.
function sw($x) { switch ($x) { case 0: $r = 'zero'; break; case '1': $r = 'one'; break; case 'a': $r = 'a'; break; case null: $r = 'null'; break; case []: $r = 'arr'; break; case true: $r = 'true'; break; default: $r = 'def'; } return $r; }
foreach ([0, '0', 0.0, '', null, false, 1, '1', 1.0, true, 'a', 'b', [], [1], '1.0', ' 1', '01', '1 ', 'abc', NAN, INF, -1] as $v) echo json_encode($v, JSON_PARTIAL_OUTPUT_ON_ERROR), ' ', sw($v), "\n";
function ft($x) { switch ($x) { case 1: echo 'one '; case 2: echo 'two '; break; default: echo 'def '; case 3: echo 'three '; } echo "\n"; }
ft(1); ft(2); ft(3); ft(9);
switch (true) { case 5 > 3: echo "cond\n"; }
switch (1) { default: echo "only default\n"; }
switch (2) { }
switch ($u = 'x') { case 'x'; echo "semicolon\n"; }
function side($n) { echo "eval$n "; return $n; }
switch (3) { case side(1): case side(2): echo 'no'; case side(3): echo 'hit'; break; case side(4): echo 'no'; } echo "\n";
for ($i = 0; $i < 4; $i++) { switch ($i) { case 1: continue 2; case 3: break 2; } echo "i$i "; } echo "\n";
echo match (true) { default => 'd', false => 'f' }, "\n";
echo match (3) { 1, 2 => 'low', 3, 4 => 'mid', default => 'hi' }, "\n";
foreach ([1, '1', 1.5, null, 'long string that is longer than fifteen', true, [1], new stdClass, fopen('php://memory', 'r')] as $v)
    try { echo match ($v) { 'x' => 1 }; } catch (\UnhandledMatchError $e) { echo $e->getMessage(), "\n"; }
$x = 5;
$r = match (true) { $x < 3 => 'a', $x < 6 => match ($x) { 4 => 'four', 5 => 'five' }, };
echo $r, "\n";
echo match (side(2)) { side(1) => 'n', side(2) => 'y', side(3) => 'n' }, "\n";
try { echo match (1) { 1 => throw new LogicException('thrown in arm') }; } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
try { match (1) { }; } catch (\UnhandledMatchError $e) { echo $e->getMessage(), "\n"; }
function jt($s) { switch ($s) { case 'red': return 1; case 'green': return 2; case 'blue': return 3; case '10': return 4; case '1e1': return 5; default: return 0; } }
foreach (['red', 'blue', 'RED', '10', '1e1', '10.0', 10, '', null, true] as $v) echo jt($v), ' '; echo "\n";
function ji($i) { switch ($i) { case 1: return 'a'; case 2: return 'b'; case 3: return 'c'; case 5: return 'e'; case 6: return 'f'; } return '-'; }
foreach ([1, 2, 4, 6, '2', 2.0, '2x', true, null] as $v) echo ji($v), ' '; echo "\n";
function m2($v) { return match ($v) { 1 => 'int', 1.0 => 'float', '1' => 'str', true => 'bool', null => 'null', default => 'def' }; }
foreach ([1, 1.0, '1', true, null, false, 2] as $v) echo m2($v), ' '; echo "\n";
switch ($z = 'b'): case 'a': echo 1; break; case 'b': echo 2; endswitch; echo "\n";
// A match on literals reads its subject once, whatever the literals are made of.
class Key { const A = 5; static function of() { return match ($nothing) { self::A => 1, -1 => 2, 'a' . 'b' => 3, default => 4 }; } }
var_dump(Key::of(), match ($nothing) { -1 => 1, 1 => 2, default => 3 }, match ($nothing) { 1.5 => 1, 1 => 2, default => 3 });
unset($was); $was = 1; unset($was);
var_dump(match ($was) { 1 => 1, 2 => 2, PHP_INT_MAX => 3, default => 4 });
try { match ($nothing) { 1, 2 => 1, '3' => 2 }; } catch (UnhandledMatchError $e) { echo $e->getMessage(), "\n"; }
