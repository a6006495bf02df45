<?php
// Ordering of mixed values through sort, max, min, spaceship and array comparison.
$vals = [null, false, true, 0, 1, -1, 1.5, '', '0', '1', 'a', 'A', '10', '9', [], [1], [1, 2], ['a' => 1]];
$out = [];
foreach ($vals as $i => $a) foreach ($vals as $j => $b) { $r = $a <=> $b; $q = $b <=> $a; if ($r !== -$q) $out[] = json_encode($a) . ($r) . json_encode($b) . ' reversed ' . $q; }
echo count($out), "\n", implode("\n", $out), "\n";
foreach ([[1, '1', 1.0, true], ['abc', 'ABC', 'abd'], [[1, 2], [1, 3], [0, 9, 9]], [null, '', 0, false], ['1e3', '1000', 1000], ['10', '9', '1'], ['b' => 1, 'a' => 1]] as $set) echo json_encode(max($set)), json_encode(min($set)), ' '; echo "\n";
$d = [new DateTime('2020-01-02'), new DateTimeImmutable('2020-01-01'), new DateTime('2021-01-01')]; sort($d); foreach ($d as $x) echo $x->format('Y-m-d '), ''; echo "\n";
class V { function __construct(public $a, public $b = null) {} } $o = [new V(2), new V(1, 5), new V(1, 2), new V(1)]; sort($o); echo json_encode($o), "\n"; var_dump(new V(1) == new V('1'), new V(1) == new V(1.0), new V([1]) == new V([true]), new V(1) <=> new V(1, 0));
enum S { case A; case B; } $e = [S::B, S::A]; sort($e); echo json_encode(array_column($e, 'name')), var_export(S::A == S::A, true), var_export(S::A < S::B, true), var_export(S::A > S::B, true), "\n";
$f = fn() => 1; var_dump($f <=> $f, [$f] == [$f], $f == clone $f);
