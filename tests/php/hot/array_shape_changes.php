<?php
// Packed arrays that become hashes, gain references, holes and string keys while loops run over them.
function fill(array $a, int $n, int $odd, $key) { for ($i = 0; $i < $n; $i++) { if ($i === $odd) $a[$key] = 'odd'; else $a[$i] = $i; } return $a; }
foreach ([null, 'str', -5, 100000, '7', 1.5, true, ''] as $k) { $r = @fill([], 2000, 1500, $k); echo json_encode($k), ' ', count($r), ' ', json_encode(array_slice(array_keys($r), -2)), ' ', array_is_list($r) ? 'list' : 'map', "\n"; }
function total(array $a) { $t = 0; for ($i = 0, $n = count($a); $i < $n; $i++) $t += $a[$i]; return $t; } $a = range(1, 1500);
var_dump(total($a)); $h = $a; $h['k'] = 5; unset($h['k']);
var_dump(total($h)); $r = $a; $ref = &$r[700]; $ref = 10000;
var_dump(total($r)); $f = $a; $f[3] = 2.5;
var_dump(total($f)); $s = $a; $s[1499] = '12';
var_dump(total($s)); set_error_handler(function ($n, $m) { echo "<$m> "; return true; }); $u = $a; unset($u[5]);
var_dump(total($u)); $e = $a; $e[] = null;
var_dump(total($e)); restore_error_handler();
function grow($n) { $a = []; for ($i = 0; $i < $n; $i++) { $a[] = $i; if ($i % 500 === 499) { $b = $a; $b[] = 'x'; array_pop($a); } if ($i === 1200) unset($a[0]); } return $a; } $g = grow(2000);
var_dump(count($g), array_key_first($g), array_key_last($g), array_sum($g));
function nested($n) { $m = []; for ($i = 0; $i < $n; $i++) { $m[$i % 50][$i % 7] = ($m[$i % 50][$i % 7] ?? 0) + $i; if ($i === $n - 60) $m[3] = 5; } return $m; } try { nested(3000); echo "no error\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump(count(nested(50)));
function cow($n) { $base = range(0, 9); $keep = []; for ($i = 0; $i < $n; $i++) { $c = $base; $c[$i % 10] = -$i; if ($i % 400 === 0) $keep[] = $c; if ($i === 1000) $base['s'] = 1; } return [array_sum(array_map('array_sum', $keep)), count($base), count($keep)]; } echo json_encode(cow(2000)), "\n";
function iter($a) { $s = 0; foreach ($a as $k => $v) { $s += is_int($k) ? $k : strlen($k); $s += is_array($v) ? count($v) : $v; } return $s; } var_dump(iter($a), iter(array_combine(array_map(fn($x) => "k$x", $a), $a)), iter([...$a, 'k' => [1, 2], 5]), iter(array_flip($a)), iter((function () { for ($i = 0; $i < 1000; $i++) yield $i => $i; })()), iter(new ArrayIterator($a)), iter((object) ['p' => 1, 'q' => 2]));
function isset_loop($a, $n) { $c = 0; for ($i = 0; $i < $n; $i++) { $c += isset($a[$i]) ? 1 : 0; $c += isset($a["k$i"]) ? 10 : 0; $c += empty($a[$i]) ? 100 : 0; $c += ($a[$i] ?? 0) & 1; } return $c; } var_dump(isset_loop($a, 2000), isset_loop(['k5' => 1, 5 => null, 7 => 0], 2000), isset_loop('123456789', 2000), isset_loop(null, 1500), isset_loop(new ArrayObject([1, 2]), 1000));
function swap(array $a) { for ($i = 0, $j = count($a) - 1; $i < $j; $i++, $j--) [$a[$i], $a[$j]] = [$a[$j], $a[$i]]; return $a; } var_dump(swap(range(1, 3000)) === range(3000, 1), swap(['a', 1.5, null, [2]]));
function keys($n) { $a = []; for ($i = 0; $i < $n; $i++) { $a["$i"] = $i; $a[(float) $i] = $i; $a[$i . ''] = $i; $a["0$i"] = 1; } return count($a); } var_dump(@keys(1500));
