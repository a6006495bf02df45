<?php
function t($f) { try { var_dump($f()); } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } }
enum C2: string { case B = 'aB'; case C = 'c'; }
enum P { case X; }
class S { function __toString() { return 'aB'; } }
$vs = [null, false, true, 0, 1, '', 'a', 'aB', 1.5, NAN, [], [1], new stdClass, new S, C2::B, C2::C, P::X, function () {}, fopen('php://memory', 'r')];
foreach ([C2::B, P::X] as $e) foreach ($vs as $i => $v) {
  echo $e->name, ' ', $i, ': ', json_encode([$e < $v, $e <= $v, $e > $v, $e >= $v, $e == $v, $e != $v, $e <=> $v, $v < $e, $v <= $e, $v > $e, $v >= $e, $v == $e, $v <=> $e, min($e, $v) === $e, max($v, $e) === $e, in_array($e, [$v])]), "\n";
}
foreach ($vs as $i => $v) echo $i, json_encode([[$v] <=> [C2::B], [C2::B] == [$v], $v == (function () {}), $v <=> function () {}]), "\n";
enum E: string { case B = "aB"; case C = "c"; }
t(fn() => $h < E::B);
t(fn() => null < E::B);
t(fn() => E::B > null);
t(fn() => E::B < null);
t(fn() => null > E::B);
t(fn() => null <= E::B);
t(fn() => null >= E::B);
t(fn() => false < E::B);
t(fn() => true < E::B);
t(fn() => true <= E::B);
t(fn() => true == E::B);
t(fn() => null == E::B);
t(fn() => E::B == true);
t(fn() => 1 < E::B);
t(fn() => 1 == E::B);
t(fn() => E::B < E::C);
t(fn() => E::B <=> E::C);
t(fn() => null <=> E::C);
t(fn() => true <=> E::C);
t(fn() => E::C <=> null);
t(fn() => $x <=> E::C);
$c = E::C;
t(function () use ($c) { $n = null; return [$n < $c, $c < $n, $n > $c, $n <=> $c, $n == $c, $n != $c]; });
t(function () use ($c) { return [$n < $c, $c < $n, $n > $c, $n <=> $c, $n == $c, $n != $c]; });
t(function () use ($c) { return [null < $c, $c < null, null > $c, null <=> $c, null == $c, null != $c]; });
