<?php
// Dijkstra with a heap, topological sort, union-find, Floyd-Warshall, BFS, strongly connected components.
final class Graph
{
    private array $adj = [];
    public function edge(string $a, string $b, float $w = 1, bool $both = false): static { $this->adj[$a][$b] = $w; $this->adj[$b] ??= []; if ($both) $this->adj[$b][$a] = $w; return $this; }
    public function shortest(string $from): array
    {
        $dist = [$from => 0]; $prev = []; $q = new SplPriorityQueue; $q->insert($from, 0);
        while (!$q->isEmpty()) { $u = $q->extract(); if (isset($done[$u])) continue; $done[$u] = true; foreach ($this->adj[$u] as $v => $w) { $d = $dist[$u] + $w; if ($d < ($dist[$v] ?? INF)) { $dist[$v] = $d; $prev[$v] = $u; $q->insert($v, -$d); } } }
        ksort($dist);
        return [$dist, $prev];
    }
    public function path(string $a, string $b): string { [, $prev] = $this->shortest($a); for ($p = [$b]; $b !== $a;) { if (!isset($prev[$b])) return 'none'; array_unshift($p, $b = $prev[$b]); } return implode('>', $p); }
    public function topo(): array { $in = array_fill_keys(array_keys($this->adj), 0); foreach ($this->adj as $ns) foreach ($ns as $v => $_) $in[$v]++; $q = array_keys(array_filter($in, fn($n) => $n === 0)); $out = []; while ($q) { $out[] = $u = array_shift($q); foreach ($this->adj[$u] as $v => $_) if (--$in[$v] === 0) $q[] = $v; } return count($out) === count($this->adj) ? $out : throw new LogicException('cycle'); }
    public function components(): array
    {
        $idx = 0; $stack = $low = $num = $on = $out = [];
        $visit = function (string $v) use (&$visit, &$idx, &$stack, &$low, &$num, &$on, &$out) {
            $num[$v] = $low[$v] = $idx++; $stack[] = $v; $on[$v] = true;
            foreach ($this->adj[$v] as $w => $_) { if (!isset($num[$w])) { $visit($w); $low[$v] = min($low[$v], $low[$w]); } elseif ($on[$w] ?? false) $low[$v] = min($low[$v], $num[$w]); }
            if ($low[$v] === $num[$v]) { $c = []; do { $c[] = $w = array_pop($stack); $on[$w] = false; } while ($w !== $v); sort($c); $out[] = implode($c); }
        };
        foreach (array_keys($this->adj) as $v) if (!isset($num[$v])) $visit($v);
        sort($out);
        return $out;
    }
    public function floyd(): array { $k = array_keys($this->adj); foreach ($k as $i) foreach ($k as $j) $d[$i][$j] = $i === $j ? 0 : ($this->adj[$i][$j] ?? INF); foreach ($k as $m) foreach ($k as $i) foreach ($k as $j) $d[$i][$j] = min($d[$i][$j], $d[$i][$m] + $d[$m][$j]); return $d; }
}
$g = (new Graph)->edge('A', 'B', 4)->edge('A', 'C', 2)->edge('C', 'B', 1)->edge('B', 'D', 5)->edge('C', 'D', 8.5)->edge('E', 'A', 1);
echo json_encode($g->shortest('A')[0]), $g->path('A', 'D'), ' ', $g->path('D', 'A'), "\n", implode(' ', $g->topo()), "\n", implode(',', array_map(fn($r) => is_infinite($r) ? '-' : $r, $g->floyd()['E'])), "\n";
try { (clone $g)->edge('D', 'A')->topo(); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
echo implode(' ', (new Graph)->edge('a', 'b')->edge('b', 'c')->edge('c', 'a')->edge('c', 'd')->edge('d', 'e')->edge('e', 'd')->edge('f', 'f')->components()), "\n";
class Union { private array $p = []; function find($x) { return ($this->p[$x] ??= $x) === $x ? $x : $this->p[$x] = $this->find($this->p[$x]); } function join($a, $b): bool { [$a, $b] = [$this->find($a), $this->find($b)]; if ($a === $b) return false; $this->p[$a] = $b; return true; } }
$edges = [['a', 'b', 7], ['a', 'd', 5], ['b', 'c', 8], ['b', 'd', 9], ['b', 'e', 7], ['c', 'e', 5], ['d', 'e', 15], ['d', 'f', 6], ['e', 'f', 8], ['e', 'g', 9], ['f', 'g', 11]]; usort($edges, fn($x, $y) => $x[2] <=> $y[2]); $u = new Union; $total = 0; foreach ($edges as [$x, $y, $w]) if ($u->join($x, $y)) { $total += $w; echo $x, $y, ' '; } echo $total, "\n";
$maze = ['#######', '#S..#.#', '#.#.#.#', '#.#...#', '#.###.#', '#....E#', '#######']; $q = new SplQueue; foreach ($maze as $y => $r) if (($x = strpos($r, 'S')) !== false) $q[] = [$x, $y, 0]; $seen = []; while (count($q)) { [$x, $y, $d] = $q->dequeue(); if ($maze[$y][$x] === 'E') { echo "exit after $d steps\n"; break; } if (isset($seen["$x,$y"])) continue; $seen["$x,$y"] = 1; foreach ([[1, 0], [-1, 0], [0, 1], [0, -1]] as [$dx, $dy]) if ($maze[$y + $dy][$x + $dx] !== '#') $q[] = [$x + $dx, $y + $dy, $d + 1]; }
