<?php
// Callbacks that call the same builtin again on the same or another array.
$a = [[3, 1], [2, 5], [9, 0]]; usort($a, function ($x, $y) { usort($x, fn($p, $q) => $p <=> $q); sort($y); return $x[0] <=> $y[0]; }); echo json_encode($a), "\n";
function depth($n) { return $n ? array_map(fn($x) => array_sum(depth($n - 1)) + $x, [1, 2]) : [1]; } echo json_encode(depth(5)), "\n";
$w = ['a' => ['b' => ['c' => 1]]]; array_walk_recursive($w, function (&$v, $k) { $inner = ['x' => [1, 2]]; array_walk_recursive($inner, function (&$iv) use (&$v) { $v += $iv; }); }); echo json_encode($w), "\n";
echo preg_replace_callback('/\w+/', fn($m) => preg_replace_callback('/[aeiou]/', fn($n) => strtoupper(preg_replace_callback('/./', fn($o) => "$o[0]$o[0]", $n[0])), $m[0]), 'hello big world'), "\n";
ob_start(function ($b) { return '1' . preg_replace_callback('/x/', fn() => implode(array_map(fn($i) => $i, ['y', 'z'])), $b); }); echo 'axb'; ob_end_flush(); echo "\n";
$data = ['k1' => 3, 'k2' => 1]; uksort($data, function ($p, $q) use ($data) { uasort($data, fn($x, $y) => $x <=> $y); return array_search($data[$p], array_values($data)) <=> array_search($data[$q], array_values($data)); }); echo json_encode($data), "\n";
$s = 0; iterator_apply($it = new ArrayIterator(range(1, 3)), function () use ($it, &$s) { $s += $it->current(); iterator_apply($in = new ArrayIterator([10, 20]), function () use ($in, &$s) { $s += $in->current(); return true; }); return true; }); echo $s, "\n";
echo array_reduce([1, 2, 3], fn($c, $x) => $c + array_reduce(range(1, $x), fn($d, $y) => $d * $y, 1), 0), ' ', json_encode(array_filter([1, 2, 3, 4], fn($x) => array_filter([$x], fn($y) => $y % 2))), ' ', json_encode(array_udiff([1, 5, 3], [3], fn($x, $y) => count(array_udiff([$x], [$y], fn($p, $q) => $p <=> $q)) ? $x <=> $y : 0)), "\n";
spl_autoload_register(function ($c) { echo "<$c"; if (strlen($c) < 5) class_exists($c . 'x'); echo '>'; }); class_exists('A'); echo "\n";
set_error_handler(function ($n, $m) { static $d = 0; if ($d++ < 2) { echo '('; echo @$u[$d]; $r = array_map(fn($x) => $x . $nope, [1]); echo ')'; } return true; }); echo $undef, "\n"; restore_error_handler(); class J implements JsonSerializable { function __construct(private $n) {} function jsonSerialize(): mixed { return $this->n ? ['in' => json_decode(json_encode(new J($this->n - 1)))] : 'leaf'; } } echo json_encode(new J(3)), "\n";
class U { public $x; function __unserialize(array $d): void { $this->x = isset($d['more']) ? unserialize($d['more']) : 'end'; } function __serialize(): array { return $this->x instanceof U ? ['more' => serialize($this->x)] : []; } } $u = new U; $u->x = new U; $u->x->x = new U; echo strlen(serialize($u)), json_encode(unserialize(serialize($u))), "\n";
echo implode(',', array_map(fn($x) => sprintf('%s-%s', $x, vsprintf('%s%s', [$x, implode('', array_map(fn($y) => $y, [$x]))])), [1, 2])), "\n";
$r = new ReflectionFunction('depth'); echo json_encode($r->invoke(1)), json_encode((new ReflectionMethod('J', 'jsonSerialize'))->invoke(new J(0))), "\n";
echo call_user_func('call_user_func', 'call_user_func_array', 'array_map', [fn($x) => call_user_func(fn() => $x * 2), [4]])[0], "\n";
