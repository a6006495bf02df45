<?php
// Each step of a loop over a generator, and each generator that another one delegates to, leaves nothing behind on the native stack.
$long = 50000;
function inner($n) { for ($i=0;$i<$n;$i++) yield $i; return 1; }
function outer($n) { $t=0; for ($i=0;$i<$n;$i++) $t += yield from inner(2); return $t; }
$s=0; foreach (outer($long) as $v) $s+=$v; var_dump($s === $long);
function rec($n) { if ($n>0) yield from rec($n-1); yield $n; }
$s=0; foreach (rec(2000) as $v) $s+=$v; echo $s,"\n";
function arr($n) { for ($i=0;$i<$n;$i++) yield from [1,2,3]; }
$s=0; foreach (arr($long) as $v) $s+=$v; var_dump($s === 6 * $long);
function none() { if (false) yield 1; return 3; }
function outer2($n) { for ($i=0;$i<$n;$i++) { yield from none(); } yield 7; }
foreach (outer2($long) as $v) echo $v,"\n";
class D { function __destruct() { global $s; $s++; } }
function holds() { $d = new D; yield 1; }
function outer3($n) { for ($i=0;$i<$n;$i++) { yield from holds(); } }
$s=0; foreach (outer3($long) as $v) {} var_dump($s === $long);
function thrower() { yield 1; throw new Exception('x'); }
function outer4($n) { for ($i=0;$i<$n;$i++) { try { yield from thrower(); } catch (Exception $e) {} } }
$s=0; foreach (outer4($long) as $v) $s+=$v; var_dump($s === $long);
