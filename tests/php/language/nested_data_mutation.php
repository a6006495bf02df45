<?php
// Deep writes through arrays, objects and references mixed; copy on write at each level.
$a = ['x' => ['y' => ['z' => 1]]]; $b = $a; $b['x']['y']['z'] = 2; $c = &$b['x']; $d = $b; $c['y']['z'] = 3; echo json_encode([$a, $b, $d]), "\n";
$o = new stdClass; $o->list['a']['b'][] = 1; $o->list['a']['b'][] = 2; $o->o ??= new stdClass; $o->o->p['q'] = 'deep'; $copy = clone $o; $copy->list['a']['b'][0] = 'changed'; $copy->o->p['q'] = 'shared'; echo json_encode([$o, $copy]), "\n";
$m = []; for ($i = 0; $i < 3; $i++) for ($j = 0; $j < 3; $j++) $m[$i][$j] = $i * $j; $t = $m; foreach ($t as $i => &$row) foreach ($row as $j => &$cell) $cell = $m[$j][$i] + 1; unset($row, $cell); echo json_encode([$m, $t]), "\n";
$tree = []; foreach (['a/b/c', 'a/b/d', 'a/e', 'f'] as $p) { $n = &$tree; foreach (explode('/', $p) as $s) $n = &$n[$s]; $n = strlen($p); unset($n); } echo json_encode($tree), "\n";
$st = [['v' => 1]]; $st[] = &$st[0]['v']; $st[1]++; $st[0]['v'] .= '!'; echo json_encode($st), "\n";
function mod(array $x) { $x['k']['l'] = 'in f'; return $x; } $orig = ['k' => ['l' => 'o']]; $r = &$orig['k']; $res = mod($orig); echo json_encode([$orig, $res]), "\n"; unset($r); $res = mod($orig); echo json_encode([$orig['k']['l'], $res['k']['l']]), "\n";
$list = [1, 2, 3]; $list2 = $list; unset($list[1]); $list[] = 'n'; array_unshift($list2, 0); echo json_encode([$list, $list2, array_values($list)]), "\n";
$arr = ['a' => 1, 'b' => 2]; foreach ($arr as $k => $v) { $arr["new_$k"] = $v * 10; unset($arr[$k]); } echo json_encode($arr), "\n";
$obj = (object) ['arr' => [3, 1, 2]]; sort($obj->arr); $obj->arr['k'] = &$obj->arr[0]; $obj->arr[0] = 'ref'; echo json_encode($obj), "\n";
$s = ['str' => 'abc']; $s['str'][1] = 'X'; $s['str'] .= 'Y'; echo json_encode($s), "\n";
$nul = null; $nul['a']->b ?? 0; $nul['a']['b'] ??= []; $nul['a']['b'][] = 'v'; echo json_encode($nul), "\n";
$x = ['i' => 0]; $x['i']++; $x['j'] ??= 5; $x['i'] += $x['j']--; $x['k']['i'] = $x['i'] <=> $x['j']; echo json_encode($x), "\n";
[$pp['q'], $pp['r'][]] = ['Q', 'R']; [, $pp['r'][]] = [0, 'S']; echo json_encode($pp), "\n";
$matrix = array_fill(0, 2, array_fill(0, 2, 0)); $matrix[0][1] = 1; $alias = $matrix; $alias[1][0] = 9; echo json_encode([$matrix, $alias]), "\n";
class H { public array $data = []; function &at(string $path) { $n = &$this->data; foreach (explode('.', $path) as $k) $n = &$n[$k]; return $n; } } $h = new H; $v = &$h->at('a.b.c'); $v = 1; $h->at('a.b')['d'] = 2; $w = &$h->at('a.b'); $w['e'] = 3; echo json_encode($h), "\n";
$self = ['n' => 1]; $self['me'] = $self; $self['me']['n'] = 2; $self['me']['me'] = $self; echo json_encode($self), "\n";
$big = range(0, 5); $big[10] = 'gap'; $big['s'] = 't'; unset($big[0], $big[10]); $big[] = 'end'; echo json_encode($big), "\n";
