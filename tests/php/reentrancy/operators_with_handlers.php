<?php
// Every operator with operands whose conversion runs a handler that frees the variables and fills the memory again.
function refill() { $x = []; for ($i = 0; $i < 30; $i++) { $x[] = str_repeat(chr(65 + $i % 26), 24); $x[] = [$i]; } return $x; }
function intact($x) { for ($i = 0; $i < 30; $i++) if ($x[2 * $i] !== str_repeat(chr(65 + $i % 26), 24) || $x[2 * $i + 1] !== [$i]) return false; return true; }
set_error_handler(function ($n, $m) { global $keep; unset($GLOBALS['a'], $GLOBALS['b']); $keep = refill(); echo "[$m] "; return true; });
$num = fn() => str_repeat('7', 1) . ' apples'; $arr = fn() => [str_repeat('x', 20)];
foreach ([
    '$a - $b', '$a * $b', '$a / $b', '$a % $b', '$a ** $b', '$a + $b', '$a & 3', '$a ^ 3', '$a | 3', '$a << 2', '$a >> 1', '3 - $a', '2 * $a', '21 / $a', '30 % $a', '2 ** $a', '64 >> $a', '1 << $a',
    '-$a', '+$a', '$c = $a - 1', '$c = $a * 2', '$c = $a / 2', '$c = $a % 4', '$c = $a & 5', '$c = $a | 8', '$c = $a ^ 1', '$c = $a << 1', '$c = $a >> 1', '$c = 1 + $a',
] as $code) { foreach (['plain', 'referenced'] as $how) { $a = $num(); $b = 2; if ($how === 'referenced') { $r = &$a; } $keep = refill(); echo $code, ' '; try { echo json_encode(eval("global \$a, \$b; return $code;")); } catch (Error $e) { echo get_class($e), ' ', $e->getMessage(); } echo intact($keep) ? "\n" : " BROKEN\n"; unset($r); } }
foreach (['-=', '*=', '/=', '%=', '**=', '&=', '|=', '^=', '<<=', '>>=', '+='] as $op) { $a = $num(); $b = 5; try { eval("\$a $op 2;"); echo $op, ' ', json_encode($a), ' '; $a = $num(); $b = 50; eval("\$b $op \$a;"); echo json_encode($b), ' '; $a = $num(); $v = eval("return \$a $op 3;"); echo json_encode([$v, $a ?? 'unset']); } catch (Error $e) { echo $e->getMessage(); } echo intact($keep) ? "\n" : " BROKEN\n"; }
$a = 1.5; $b = 2; echo json_encode(~$a), ' '; $a = 2.5; echo json_encode([$a % 2]), ' '; $a = 2.5; $x = [10, 20, 30]; echo json_encode($x[$a] ?? 'none'), "\n";
$a = $arr(); echo json_encode("$a"), ' '; $a = $arr(); echo json_encode($a . 'tail'), ' '; $a = $arr(); echo json_encode('head' . $a), ' '; $a = $arr(); $s = 'start'; $s .= $a; echo json_encode($s), ' '; $a = $arr(); $x = (string) $a; echo json_encode($x), "\n";
for ($i = 0; $i < 3; $i++) { $a = $num(); if ($undefined1 < 1) echo 'less '; if ($undefined2 == null) echo 'equal '; if (!$undefined3) echo 'not '; if ($undefined4 xor true) echo 'xor '; if (($undefined5 && true) || ($undefined6 ?: true)) echo 'or '; echo $undefined7 <=> 1, "\n"; }
$o = new stdClass; do { $n = ($n ?? 0) + 1; } while ($n < 2 && $undefined9 !== null); echo $n, json_encode([(bool) $undefinedA, (int) $undefinedB, (array) $undefinedC, -$undefinedD, $undefinedE instanceof stdClass]), "\n";
