<?php
// Loops at file level, where variables are globals that functions, includes and $GLOBALS also see.
$n = 0; $log = [];
function peek() { return $GLOBALS['n']; }
function poke($v) { $GLOBALS['n'] = $v; }
function drop() { unset($GLOBALS['n']); }
for ($i = 0; $i < 3000; $i++) { $n++; if ($i === 1000) { $log[] = peek(); poke(5); } if ($i === 2000) { poke('7'); } if ($i === 2500) { poke(1.5); $log[] = $n; } }
var_dump($n, $log, peek());
for ($i = 0; $i < 2000; $i++) { if ($i === 1500) { drop(); $log[] = isset($n); $n = 100; } $n += 2; if ($i === 1600) { $ref = &$GLOBALS['n']; $ref = 0; } }
var_dump($n, $ref, $log);
$name = 'dyn';
for ($i = 0; $i < 1500; $i++) { $$name = ($$name ?? 0) + $i; if ($i === 1000) $name = 'other'; }
var_dump($dyn, $other);
for ($i = 0; $i < 1200; $i++) { $x = $i; if ($i === 1100) { eval('$x = "from eval"; $y = $x . $i;'); $kept = $x; } $z = $x; }
var_dump($kept, $y, $z);
$total = 0;
foreach (range(1, 1500) as $i) { $total += $i; if ($i === 1400) { extract(['total' => 1, 'fresh' => 2]); } if ($i === 1450) { (function () { global $total; $total = -1; })(); } }
var_dump($total, $fresh);
$arr = range(0, 999); $s = 0;
for ($i = 0, $c = count($arr); $i < $c; $i++) { $s += $arr[$i]; if ($i === 500) { (function () { $GLOBALS['arr'][600] = 100000; $GLOBALS['arr'][] = 'not counted'; })(); } if ($i === 700) { (fn() => include __DIR__ . '/inc/changes.php')(); } }
var_dump($s, count($arr));
$i = 0; while (true) { if (++$i > 5000) break; if ($i % 2) continue; $even = ($even ?? 0) + 1; } var_dump($even);
do { $i--; } while ($i > 100);
var_dump($i);
$m = []; for ($a = 0; $a < 60; $a++) for ($b = 0; $b < 60; $b++) { $m[$a][$b] = $a * $b; if ($a === 50 && $b === 50) $m[0] = 'str'; } var_dump(count($m), $m[0], $m[59][59]);
$str = ''; for ($i = 0; $i < 2000; $i++) { $str .= chr(97 + $i % 26); $last = $str; } var_dump(md5($str), $last === $str);
$f = function () use (&$count) { return ++$count; }; for ($i = 0; $i < 1500; $i++) { $r = $f(); if ($i === 1000) $count = 'z'; if ($i === 1001) $log2 = $count; } var_dump($r, $log2);
