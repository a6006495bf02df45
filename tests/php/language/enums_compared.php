<?php
enum C2: string { case B = 'aB'; case C = 'c'; }
enum P { case X; }
class S { function __toString() { return 'aB'; } }
$vs = [null, false, true, 0, 1, '', 'a', 'aB', 1.5, NAN, [], [1], new stdClass, new S, C2::B, C2::C, P::X, function () {}, fopen('php://memory', 'r')];
foreach ([C2::B, P::X] as $e) foreach ($vs as $i => $v) {
  echo $e->name, ' ', $i, ': ', json_encode([$e < $v, $e <= $v, $e > $v, $e >= $v, $e == $v, $e != $v, $e <=> $v, $v < $e, $v <= $e, $v > $e, $v >= $e, $v == $e, $v <=> $e, min($e, $v) === $e, max($v, $e) === $e, in_array($e, [$v])]), "\n";
}
foreach ($vs as $i => $v) echo $i, json_encode([[$v] <=> [C2::B], [C2::B] == [$v], $v == (function () {}), $v <=> function () {}]), "\n";
sort($vs);
