<?php
// goto: forwards, backwards, out of loops and switches.
$i = 0;
again: $i++; if ($i < 4) goto again; echo $i, "\n";
goto skip; echo 'never'; skip: echo "skipped\n";
for ($a = 0; $a < 3; $a++) { for ($b = 0; $b < 3; $b++) { if ($a * $b == 2) goto out; echo $a, $b, ' '; } } out: echo "out at $a$b\n";
foreach ([1, 2, 3] as $x) { if ($x == 2) goto done; echo $x, ' '; } done: echo "done\n";
function f($n) { if ($n > 2) goto big; return 'small'; big: return 'big'; } echo f(1), f(3), "\n";
function g() { $r = []; $k = 0; top: $r[] = $k; switch ($k++) { case 3: goto end; default: goto top; } end: return implode(',', $r); } echo g(), "\n";
function gen() { $n = 0; loop: yield $n++; if ($n < 4) goto loop; } foreach (gen() as $v) echo $v; echo "\n";
function tf() { $n = 0; retry: try { $n++; if ($n < 3) throw new Exception; return "ok after $n"; } catch (Exception $e) { goto retry; } finally { echo "f$n "; } } echo tf(), "\n";
while (true) { { goto brk; } } brk:
l1: l2: echo "two labels\n"; if (false) { inif: echo 'in if'; } 
function nested() { foreach ([1, 2] as $a) { foreach ([3, 4] as $b) { foreach ([5] as $c) { if ($b == 4) goto o; } } } o: return "$a$b$c"; } echo nested(), "\n";
