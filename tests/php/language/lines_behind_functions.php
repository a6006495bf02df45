<?php
function f1() { switch (($c . "{$c[0]}-$e")) { case 'ABC': return 1; } }
f1();
function f2() { $d = 5.5; 
  $z = [($f -= null) => ($d ** 0.0), substr('a', '.5', $d) => function (string $x, ?string $y) use ($d, $f) {
            return intdiv($d, $d);
        }, ($d ** $d) => (true ? ['a' => $d, $d] : [$d, 7, '0', ' ', null])];
  $z = [1 => 2, substr('a', '.5', $d) => function (string $x, ?string $y) use ($d, $f) {
            return intdiv($d, $d);
        }, ($d ** $d) => 3];
  $z = [1 => 2, 4 => function (string $x, ?string $y) use ($d, $f) {
            return intdiv($d, $d);
        }, $d => $q];
  $z = [1 => 2, 4 => function (string $x, ?string $y) use ($d, $f) {
            return intdiv($d, $d);
        }, $q];
  $z = [1 => 2, 4 => function (string $x, ?string $y) use ($d, $f) {
            return intdiv($d, $d);
        }, $d => 5];
}
f2();
function f3() {
 $o = new ArrayObject([]);
 $o->p3 = [1 => 2, 4 => function (string $x, ?string $y) use ($d, $f) {
            return intdiv($d, $d);
        }, ($d ** $d) => (true ? ['a' => $d, $d] : [$d, 7, '0', ' ', null])];
 $d = 5.5;
 $o->p3 = [1 => 2, 4 => function (string $x, ?string $y) use ($d, $f) {
            return intdiv($d, $d);
        }, ($d ** $d) => (true ? ['a' => $d, $d] : [$d, 7, '0', ' ', null])];
}
f3();
function f4($e, $f) { echo $c . "{$c[0]}-$e", "\n"; echo $c . "{$c}-$e", "\n"; echo $c . $c[0], "\n"; echo $c . "{$c[0]}-$e" . $f, "\n";
 echo "{$c}" . "{$c[0]}-$e" . $f, "\n";  }
f4(1, 2);
function g2() { $d = 5.5; 
  $z = [4 => function (string $x) {
        }, ($d ** $d) => (true ? ['a' => $d, $d] : [$d, 7])];
  $z = [4 => function (string $x) {
        }, ($d ** $d) => [$d, 7, null]];
  $z = [4 => function (string $x) {
        }, ($d ** $d) => ($d ? null : $d)];
  $z = [4 => function (string $x) {
        }, ($d ** $d) => null];
  $z = [4 => function (string $x) {
        }, ($d ** $d) => ($d ? $d : null)];
  $z = [4 => function (string $x) {
        }, ($d ** $d) => [$d, 7 + 1]];
  $z = [4 => function (string $x) {
        }, ($d ** $d) => [[$d], 7 + 1]];
  $z = [4 => function (string $x) {
        }, ($d ** $d) => [$d, 7 ? 1 : 2]];
  $z = [4 => function (string $x) {
        }, ($d ** $d) => [7 ? 1 : 2, $d]];
  $z = [4 => function (string $x) {
        }, ($d ** $d) => ($d ? $d : 1 + 2)];
  $z = [4 => function (string $x) {
        }, ($d ** $d) => ($d + (1 + 2))];
  $z = [4 => function (string $x) {
        }, ($d ** $d) => (1 ? $d : 2)];
}
g2();
function h0($x, $y = 1, $z = 2) { return 1; }
try {
$c = h0(function () {
    return 1;
}, $d);
} catch (Error $e) { echo $e->getLine(); }
function h1($x) {
  $g = h0(function () {
    return 1;
  }, $g);
}
h1(1);
if (in_array(function () {
    return 1;
}, [1, $d], true)) {}
function named($x, $y = 2) {}
$o = 'named';
$o(x: function () {
    return 1;
}, y: $d);
named(x: function () {
    return 1;
}, y: $d);
