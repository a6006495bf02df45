<?php
// Game of life on sets of cells, rule 30, Langton's ant, a turtle.
function step(array $live): array
{
    $n = [];
    foreach ($live as $k => $_) { [$x, $y] = explode(',', $k); for ($dx = -1; $dx <= 1; $dx++) for ($dy = -1; $dy <= 1; $dy++) if ($dx || $dy) { $c = ($x + $dx) . ',' . ($y + $dy); $n[$c] = ($n[$c] ?? 0) + 1; } }
    return array_filter($n, fn($c, $k) => $c === 3 || $c === 2 && isset($live[$k]), ARRAY_FILTER_USE_BOTH);
}
$live = array_fill_keys(['1,0', '2,1', '0,2', '1,2', '2,2'], 1);
for ($i = 0; $i < 12; $i++) $live = step($live);
$keys = array_keys($live); sort($keys); echo implode(' ', $keys), "\n";
$r = array_fill_keys(['0,0', '1,0', '1,1', '2,1', '1,2'], 1); for ($i = 0; $i < 30; $i++) $r = step($r); echo count($r), "\n";
$row = str_repeat('0', 20) . '1' . str_repeat('0', 20);
for ($i = 0; $i < 10; $i++) { echo rtrim(strtr($row, '01', ' #')), "\n"; $next = ''; for ($j = 0, $n = strlen($row); $j < $n; $j++) { $p = bindec(($row[$j - 1] ?? '0') . $row[$j] . ($row[$j + 1] ?? '0')); $next .= 30 >> $p & 1; } $row = $next; }
$grid = []; $x = $y = $d = 0; for ($i = 0; $i < 3000; $i++) { $on = $grid[$y][$x] ?? false; $d = ($d + ($on ? 3 : 1)) % 4; $grid[$y][$x] = !$on; match ($d) { 0 => $y--, 1 => $x++, 2 => $y++, 3 => $x-- }; } echo array_sum(array_map(fn($r) => count(array_filter($r)), $grid)), " $x $y\n";
function expand(string $axiom, array $rules, int $n): string { while ($n--) $axiom = strtr($axiom, $rules); return $axiom; }
$path = expand('F', ['F' => 'F+F-F-F+F'], 3); $px = $py = $dir = 0; $min = $max = 0; foreach (str_split($path) as $c) { switch ($c) { case '+': $dir = ($dir + 1) & 3; break; case '-': $dir = ($dir + 3) & 3; break; default: [$dx, $dy] = [[1, 0], [0, 1], [-1, 0], [0, -1]][$dir]; $px += $dx; $py += $dy; $max = max($max, $py); } } echo strlen($path), " $px $py $max\n";
