<?php
// array_map, array_filter, array_reduce and array_walk with callbacks that modify their input or throw.
$a = [1, 2, 3]; echo json_encode(array_map(function ($x) use (&$a) { $a[] = $x; unset($a[0]); return $x * 2; }, $a)), json_encode($a), "\n";
$g = [1, 2, 3]; echo json_encode(array_map(function ($x) { $GLOBALS['g'] = null; return $x; }, $g)), json_encode($g), "\n";
try { array_map(function ($x) { if ($x == 2) throw new Exception('map'); return new stdClass; }, [1, 2, 3]); } catch (Exception $e) { echo $e->getMessage(), "\n";
} $f = [1, 2, 3, 4]; echo json_encode(array_filter($f, function ($x) use (&$f) { $f = []; return $x % 2; })), json_encode($f), "\n";
try { array_filter([1, 2], fn($x) => throw new Exception('filter')); } catch (Exception $e) { echo $e->getMessage(), "\n";
} echo json_encode(array_filter(['a' => 1, 'b' => 2], function ($v, $k) use (&$f) { $f["$k$v"] = 1; return $k === 'b'; }, ARRAY_FILTER_USE_BOTH)), json_encode($f), "\n";
$r = [1, 2, 3]; echo array_reduce($r, function ($c, $x) use (&$r) { $r = ['zap']; return $c + $x; }), json_encode($r), "\n";
$w = [1, 2, 3]; array_walk($w, function (&$v, $k) use (&$w) { if ($k === 0) unset($w[1]); $v *= 10; }); echo json_encode($w), "\n";
$w = [1, 2, 3]; array_walk($w, function (&$v, $k) use (&$w) { if (count($w) < 6) $w[] = $v; $v = "$k:$v"; }); echo json_encode($w), "\n";
$w = [1, 2, 3]; try { array_walk($w, function (&$v, $k) { if ($k == 1) throw new Exception('walk'); $v = 'x'; }); } catch (Exception $e) { echo $e->getMessage(), json_encode($w), "\n";
} $w = ['a' => ['b' => 1], 'c' => 2]; array_walk_recursive($w, function (&$v, $k) use (&$w) { $v = "$k$v"; }); echo json_encode($w), "\n";
$o = (object) ['p' => 1, 'q' => 2]; array_walk($o, function (&$v, $k) use ($o) { $v++; unset($o->q); }); echo json_encode($o), "\n";
$x = [1, 2]; try { array_walk($x, function (&$v) use (&$x) { $x = 'str'; $v = 9; }); } catch (Error $e) { echo $e->getMessage(), ' '; } echo json_encode($x), "\n";
$m = [3, 4]; echo json_encode(array_map(function ($p, $q) use (&$m) { $m = array_merge($m, [$p]); return [$p, $q]; }, $m, ['k' => 'v'])), count($m), "\n";
function byref(&$x) { $x = 'changed'; return 1; } $br = [1, 2]; echo json_encode(@array_map('byref', $br)), json_encode($br), "\n";
array_walk($br, 'byref'); echo json_encode($br), "\n";
echo json_encode(array_map(fn($x) => array_map(fn($y) => $x . $y, ['p', 'q']), ['A', 'B'])), "\n";
class D { function __destruct() { echo '~ '; } } array_map(fn($x) => new D, [1, 2]); echo "|\n"; $t = array_map(fn($x) => new D, [1, 2]); try { $t = array_map(fn($x) => $x ? throw new Exception('second') : new D, [0, 1]); } catch (Exception $e) { echo $e->getMessage(), count($t), "\n";
} unset($t); echo "\n";
echo json_encode(array_udiff([1, 5, 3], [3, 4], function ($a, $b) use (&$w) { $w = 0; return $a <=> $b; })), json_encode(array_uintersect(['A', 'b'], ['a'], 'strcasecmp')), "\n";
try { array_udiff([1, 2], [3], fn($a, $b) => throw new Exception('udiff')); } catch (Exception $e) { echo $e->getMessage(), "\n";
} echo json_encode(array_find([1, 2, 3], function ($v) use (&$z) { $z[] = $v; return $v == 2; })), json_encode($z), json_encode([array_any([1, 2], fn($v) => $v > 1), array_all([1, 2], fn($v) => $v > 1), array_find_key(['k' => 5], fn($v) => $v == 5)]), "\n";
