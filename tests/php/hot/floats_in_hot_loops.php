<?php
// Float arithmetic: NaN and INF appearing late, int/float mixing, comparisons, rounding and conversions.
function mix($n) { $x = 0; $y = 1; for ($i = 0; $i < $n; $i++) { $x = $x + ($i & 1 ? 0.5 : 1); $y = $y * 1.01; if ($i === 1000) $y = 2; } return [$x, $y]; } echo json_encode(mix(1500)), "\n";
function nan($n) { $x = 1.0; $c = 0; for ($i = 0; $i < $n; $i++) { if ($i === 900) $x = NAN; if ($x == $x) $c++; if ($x < 5) $c += 2; if (!($x > 5)) $c += 3; if ($x != 1.0) $c += 10; $c += $x <=> 1.0; } return $c; } var_dump(nan(1000));
function inf($n) { $x = 1.0; for ($i = 0; $i < $n; $i++) $x *= 1.5; return [$x, $x - $x, 1 / $x, $x > PHP_INT_MAX]; } var_dump(inf(2000));
function toInt($n) { $s = 0; for ($i = 0; $i < $n; $i++) { $s += (int) ($i * 1.7) + (int) floor(-$i / 3) + (int) round($i / 7, 1) + intdiv($i, 3) + ($i % 5); } return $s; } var_dump(toInt(2000));
function div($n) { $i = $f = 0; for ($k = 1; $k <= $n; $k++) { $q = $n / $k; is_int($q) ? $i++ : $f++; } return [$i, $f]; } echo json_encode(div(2520)), "\n";
function pw($n) { $s = 0; for ($i = 0; $i < $n; $i++) { $s += $i ** 2; $s += 2 ** ($i % 70); $s -= (-1) ** $i; $s += $i ** 0.5; } return $s; } var_dump(pw(1500));
function acc($n) { $s = 0.0; $k = 0.0; for ($i = 1; $i <= $n; $i++) { $y = 1 / $i - $k; $t = $s + $y; $k = ($t - $s) - $y; $s = $t; } return $s; } var_dump(acc(20000));
function negz($n) { $z = 0.0; for ($i = 0; $i < $n; $i++) $z = -$z; return [$z, 1 / ($z ?: 1), (string) $z, -0.0 === 0.0]; } var_dump(negz(1001));
function modf_($n) { $s = 0; for ($i = -$n; $i < $n; $i++) { $s += fmod($i, 3.5) + ($i % 7) + (-$i % 3) + abs($i) + ($i >> 1) + ($i & 6) + ($i ^ 3) + (~$i | 1); } return $s; } var_dump(modf_(1000));
function shift($n) { $s = 0; for ($i = 0; $i < $n; $i++) $s ^= (1 << ($i % 70)) + (PHP_INT_MIN >> ($i % 70)) + (-5 >> $i); return $s; } var_dump(shift(500));
function trig($n) { $s = 0; for ($i = 0; $i < $n; $i++) $s += sin($i) * cos($i / 2) + sqrt($i) + log($i + 1) + min($i, 3.5) + max(-$i, -2) + floor($i / 4) + ceil($i / 4); return round($s, 6); } var_dump(trig(2000));
function intFloatCompare() { $c = 0; foreach ([PHP_INT_MAX, PHP_INT_MAX - 1, 2 ** 53, 2 ** 53 + 1, 0, -1] as $i) foreach ([9.2233720368547758e18, 2.0 ** 53, 0.0, -0.0, -1.5, NAN, INF] as $f) { $c = $c * 7 + ($i == $f ? 1 : 0) + ($i < $f ? 2 : 0) + ($i > $f ? 4 : 0) & 0xFFFFFFF; } return $c; } for ($k = 0; $k < 50; $k++) $q = intFloatCompare();
var_dump($q);
function typedF(float $x, int $n): float { for ($i = 0; $i < $n; $i++) $x += $i; return $x; } var_dump(typedF(1, 1000), typedF('2.5', 10));
function ternary($n) { $b = 0; for ($i = 0; $i < $n; $i++) $b += ($i % 3 ? ($i % 2 ? 1.5 : 2) : null) ?? 0.25; return $b; } var_dump(ternary(1200));
