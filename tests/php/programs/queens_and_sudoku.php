<?php
// Backtracking: n queens, sudoku, subset sums, permutations by generator.
function queens(int $n, int $row = 0, int $cols = 0, int $d1 = 0, int $d2 = 0): int
{
    if ($row === $n) return 1;
    $c = 0;
    for ($free = ~($cols | $d1 | $d2) & ((1 << $n) - 1); $free; $free &= $free - 1) {
        $bit = $free & -$free;
        $c += queens($n, $row + 1, $cols | $bit, ($d1 | $bit) << 1, ($d2 | $bit) >> 1);
    }
    return $c;
}
foreach (range(1, 8) as $n) echo $n, ':', queens($n), ' ';
echo "\n";
function queensArray(int $n): ?array
{
    $place = function (array $q) use (&$place, $n): ?array {
        if (count($q) === $n) return $q;
        for ($c = 0; $c < $n; $c++) {
            foreach ($q as $r => $k) if ($k === $c || abs($k - $c) === count($q) - $r) continue 2;
            if ($s = $place([...$q, $c])) return $s;
        }
        return null;
    };
    return $place([]);
}
foreach (queensArray(8) as $c) echo str_repeat('.', $c), 'Q', str_repeat('.', 7 - $c), "\n";
function sudoku(string $g): ?string
{
    $best = null;
    for ($i = 0; $i < 81; $i++) {
        if ($g[$i] !== '.') continue;
        $used = '';
        $r = intdiv($i, 9); $c = $i % 9; $b = intdiv($r, 3) * 27 + intdiv($c, 3) * 3;
        for ($j = 0; $j < 9; $j++) $used .= $g[$r * 9 + $j] . $g[$j * 9 + $c] . $g[$b + intdiv($j, 3) * 9 + $j % 3];
        $cand = array_diff(range(1, 9), str_split($used));
        if ($best === null || count($cand) < count($best[1])) $best = [$i, $cand];
        if (count($cand) < 2) break;
    }
    if ($best === null) return $g;
    foreach ($best[1] as $v) { $h = $g; $h[$best[0]] = (string) $v; if ($s = sudoku($h)) return $s; }
    return null;
}
echo implode("\n", str_split(sudoku('53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79'), 9)), "\n";
function permute(array $items): Generator { if (count($items) < 2) { yield $items; return; } foreach ($items as $i => $x) { $rest = $items; unset($rest[$i]); foreach (permute(array_values($rest)) as $p) yield [$x, ...$p]; } }
echo implode(' ', array_map('implode', iterator_to_array(permute(['a', 'b', 'c']), false))), ' ', iterator_count(permute(range(1, 5))), "\n";
function subsets(array $s, int $target): array { $out = []; for ($m = 1; $m < 1 << count($s); $m++) { $p = []; foreach ($s as $i => $v) if ($m >> $i & 1) $p[] = $v; if (array_sum($p) === $target) $out[] = implode('+', $p); } return $out; }
echo implode(' ', subsets([1, 2, 3, 4, 5, 6], 10)), "\n";
