<?php
// Generator bodies and consumers that are compiled in the middle, with sends, keys, references and delegation.
function count_(int $n) { for ($i = 0; $i < $n; $i++) yield $i; return $n; } function mapg($it, $f) { foreach ($it as $k => $v) yield $k => $f($v); } function filterg($it, $f) { foreach ($it as $k => $v) if ($f($v)) yield $k => $v; } function takeg($it, $n) { foreach ($it as $k => $v) { if ($n-- <= 0) return; yield $k => $v; } } function chunk($it, $n) { $b = []; foreach ($it as $v) { $b[] = $v; if (count($b) === $n) { yield $b; $b = []; } } if ($b) yield $b; } function zip(iterable ...$its) { $gs = array_map(fn($i) => is_array($i) ? new ArrayIterator($i) : $i, $its); foreach ($gs as $g) $g->rewind(); while (array_reduce($gs, fn($c, $g) => $c && $g->valid(), true)) { yield array_map(fn($g) => $g->current(), $gs); foreach ($gs as $g) $g->next(); } }
$s = 0; foreach (mapg(filterg(count_(3000), fn($x) => $x % 3), fn($x) => $x * 2) as $k => $v) $s += $k ^ $v;
var_dump($s);
var_dump(array_sum(iterator_to_array(takeg(count_(PHP_INT_MAX), 1000))));
var_dump(count(iterator_to_array(chunk(count_(1001), 10), false))); $t = 0; foreach (zip(count_(800), range(1, 900), mapg(count_(850), fn($x) => -$x)) as [$a, $b, $c]) $t += $a * 2 + $b + $c;
var_dump($t);
function acc() { $sum = 0; $n = 0; while (true) { $x = yield $n ? $sum / $n : null; if ($x === null) return $sum; $sum += $x; $n++; if ($n === 900) $sum = (string) $sum; } } $g = acc(); $g->current(); for ($i = 1; $i <= 1000; $i++) $avg = $g->send($i % 10 ? $i : $i / 4);
var_dump($avg); $g->send(null);
var_dump($g->getReturn());
function &refs(array &$a) { foreach ($a as $k => &$v) yield $k => $v; } $arr = range(1, 1000); foreach (refs($arr) as $k => &$v) { $v *= 2; if ($k === 500) $v = 's'; } unset($v);
var_dump($arr[499], $arr[500], $arr[999]);
function tree($d) { if ($d) { yield from tree($d - 1); yield $d; $r = yield from tree($d - 1); } return $d; } $h = 0; foreach (tree(10) as $v) $h = ($h * 7 + $v) % 99991;
var_dump($h);
function types($n) { for ($i = 0; $i < $n; $i++) { yield match (true) { $i < 1000 => $i, $i < 1200 => $i / 8, $i < 1300 => "s$i", $i < 1400 => [$i], default => null } => $i % 2 ? 'odd' : $i; } } $seen = []; foreach (types(1500) as $k => $v) { $seen[get_debug_type($k) . get_debug_type($v)] = ($seen[get_debug_type($k) . get_debug_type($v)] ?? 0) + 1; } echo json_encode($seen), "\n";
function prime() { $p = []; for ($n = 2; ; $n++) { foreach ($p as $q) { if ($q * $q > $n) break; if ($n % $q === 0) continue 2; } $p[] = $n; yield $n; } } foreach (prime() as $i => $p) if ($i === 400) { echo $p, "\n"; break; } function interleave(...$gs) { while ($gs) foreach ($gs as $k => $g) { if (!$g->valid()) { unset($gs[$k]); continue; } yield $g->current(); $g->next(); } } $s = 0; foreach (interleave(count_(300), count_(500), count_(10)) as $i => $v) $s += $i * $v;
var_dump($s); $fibers = []; $out = 0; for ($i = 0; $i < 50; $i++) { $f = new Fiber(function ($n) { $s = 0; foreach (count_($n) as $v) { $s += $v; if ($v % 10 === 0) $s += Fiber::suspend($v); } return $s; }); $f->start($i * 4); $fibers[] = $f; } while ($fibers) foreach ($fibers as $k => $f) { if ($f->isTerminated()) { $out += $f->getReturn(); unset($fibers[$k]); } else $f->resume(1); } var_dump($out);
