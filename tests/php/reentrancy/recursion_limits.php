<?php
// Deep user recursion is fine; endless native recursion ends in an Error that can be caught.
function depth($n) { return $n ? depth($n - 1) + 1 : 0; } echo depth(50000), "\n";
class N { public ?N $next = null; } $head = null; for ($i = 0; $i < 100000; $i++) { $n = new N; $n->next = $head; $head = $n; } $head = null; echo "long list freed\n"; $a = []; for ($i = 0; $i < 50000; $i++) $a = [$a]; $a = null; echo "deep array freed\n"; $f = fn($x) => $x; for ($i = 0; $i < 1000; $i++) { $p = $f; $f = fn($x) => $p($x) + 1; } echo $f(0), "\n";
function gen($n) { if ($n) { yield from gen($n - 1); } yield $n; } $c = 0; foreach (gen(2000) as $v) $c++; echo $c, "\n";
$s = str_repeat('[', 600) . str_repeat(']', 600); var_dump(json_decode($s), json_last_error_msg()); $d = 'x'; for ($i = 0; $i < 600; $i++) $d = [$d]; var_dump(json_encode($d), json_last_error_msg()); echo strlen(serialize($d)), "\n";
$r = [1]; for ($i = 0; $i < 300; $i++) $r = [$r]; $r2 = $r; var_dump($r == $r2, $r === $r2, count($r, COUNT_RECURSIVE)); array_walk_recursive($r, function (&$v) { $v = 'leaf'; }); echo strlen(print_r($r, true)) > 1000 ? 'printed' : '', "\n";
$e = '1'; for ($i = 0; $i < 500; $i++) $e = "($e)"; echo eval("return $e;"), "\n";
$e = implode('+', array_fill(0, 2000, '1')); echo eval("return $e;"), "\n";
$e = str_repeat('!', 501) . '1'; var_dump(eval("return $e;")); $e = '$x' . str_repeat('[0]', 500) . ' = 1'; eval("$e;"); echo strlen(json_encode($x, 0, 1000)), "\n";
echo strlen(eval('return ' . implode('.', array_fill(0, 3000, '"a"')) . ';')), "\n";
eval(str_repeat('if (1) { ', 200) . 'echo "nested ifs\n";' . str_repeat('}', 200)); $clone = new N; $cur = $clone; for ($i = 0; $i < 1000; $i++) { $cur->next = new N; $cur = $cur->next; } var_dump(unserialize(serialize($clone), ['max_depth' => 0]) == $clone);
