<?php
// Every sort function and flag, stability, mixed types, keys.
require __DIR__ . '/inc/show.php';
$by = fn(string $f, ...$r) => function (array $a) use ($f, $r) { $ok = $f($a, ...$r); return $ok === true ? $a : [$ok, $a]; };
$sets = [[3, 1, 2], ['b' => 2, 'a' => 1, 'c' => 3], ['10', 9, '1e1', 'abc', 2.5], ['img12', 'img10', 'IMG2', 'img1'], [true, false, null, 0, '', 'a'], ['x' => 1, 'y' => 1, 'z' => 0], [[2, 1], [1, 2], [1]], ['É', 'e', 'z', 'a'], ['b', 'B', 'a', 'A', '_'], [5 => 'e', 1 => 'a', 'k' => 'k', '10' => 't'], [1.5, '1.5', 1, '1'], [], ['only']];
foreach (['sort', 'rsort', 'asort', 'arsort', 'ksort', 'krsort', 'natsort', 'natcasesort'] as $f) { echo "== $f\n"; foreach ($sets as $s) show(v($s), $by($f)($s)); }
foreach (['SORT_REGULAR', 'SORT_NUMERIC', 'SORT_STRING', 'SORT_STRING | SORT_FLAG_CASE', 'SORT_NATURAL', 'SORT_NATURAL | SORT_FLAG_CASE', 'SORT_LOCALE_STRING'] as $flag) { echo "== $flag\n"; $fl = eval("return $flag;"); foreach (['sort', 'arsort', 'ksort', 'krsort'] as $f) foreach ([['10', '9', '1.5', 'a10', 'a9', 'B', 'b'], ['b10' => 1, 'B9' => 2, 'a' => 3, '7' => 4, 10 => 5, '1e1' => 6]] as $s) show("$f " . v($s), $by($f, $fl)($s)); }
$s = []; foreach (range(0, 40) as $i) $s["k$i"] = $i % 3; $t = $s; asort($t);
show('stable', array_keys($t)); arsort($s);
show('stable reverse', array_keys($s)); $u = [['n' => 'b', 'v' => 1], ['n' => 'a', 'v' => 1], ['n' => 'c', 'v' => 0]]; usort($u, fn($x, $y) => $x['v'] <=> $y['v']);
show('usort', $u); $m = ['b' => 1, 'a' => 2]; uksort($m, 'strcmp');
show('uksort', $m); uasort($m, fn($a, $b) => $b <=> $a);
show('uasort', $m);
$d1 = [3, 1, 2, 1]; $d2 = ['c', 'b', 'a', 'a']; array_multisort($d1, $d2);
show('multisort', $d1, $d2); $d1 = ['10', 11, 100, 100, 'a']; $d2 = [1, 2, '2', 3, 1]; array_multisort($d1, SORT_DESC, SORT_STRING, $d2, SORT_ASC);
show('multisort flags', $d1, $d2); $d = ['k' => 3, 5 => 1, 'z' => 2]; array_multisort($d);
show('multisort keys', $d);
try { $x = [1]; $y = [1, 2]; array_multisort($x, $y); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }
try { $x = [1]; array_multisort($x, SORT_ASC, SORT_ASC); } catch (Throwable $e) { echo $e->getMessage(), "\n"; }
try { $x = [1]; array_multisort($x, 'bad'); } catch (Throwable $e) { echo $e->getMessage(), "\n"; }
try { $x = [2, 1]; usort($x, 'nope'); } catch (TypeError $e) { echo $e->getMessage(), "\n"; } $o = [(object) ['v' => 2], (object) ['v' => 1]]; sort($o);
show('objects', $o); $mixed = ['10', 9, 'x', null, true, [1], 1.5]; sort($mixed);
show('mixed', $mixed); $n = ['1.10', '1.9', '1.2']; sort($n);
show('numeric strings', $n); sort($n, SORT_STRING);
show('as strings', $n); $neg = ['-5', '-10', '3', '0']; sort($neg);
show('negatives', $neg); natsort($neg);
show('nat negatives', $neg); $z = ['0.1', '.1', '00.1', 'a0', 'a00']; natsort($z);
show('nat zeros', $z); $mk = ['b' => 1, 2 => 2, 'a' => 3, 1 => 4, '' => 5, '-1' => 6, 'x1' => 7]; ksort($mk);
show('ksort mixed', $mk); krsort($mk);
show('krsort mixed', $mk); ksort($mk, SORT_STRING);
show('ksort string', $mk); ksort($mk, SORT_NUMERIC);
show('ksort numeric', $mk);
