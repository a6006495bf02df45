<?php
// Which of two operands is read first, and on which line an instruction is said to be.
$x = [$e => $f];
$x = [1, $e => $f, $g => $h];
$a = [];
[$a[print("k\n")]] = [];
[$a[$u], $b] = [];
try { [$o->{print("p\n")}] = []; } catch (Error $t) { echo $t->getMessage(), "\n"; }
try {
    list($a[1]) = function () use (&$h) {

    };
} catch (Error $t) { echo $t->getLine(), "\n"; }
match($u) {

    1 => 2,
    3,
    4 => 5,
    $q => 1,
    default => 2,
};
match(true) {

    $u => 2,
    $q
        => 5,
    default => 2,
};
switch ($u) {

    case ['k' => 1]:
    case [1]:
    case $u . 'x':
}
$b ^= (0 ** -1);
try { $d->p1--; } catch (Error $t) { echo $t->getMessage(), "\n"; }
try { ('strlen')([]); } catch (Error $t) { echo $t->getTraceAsString(), "\n"; }
try { $f = null; $r = &$f; match ($f) {}; } catch (Error $t) { echo $t->getMessage(), "\n"; }
try { echo stdClass::{true}; } catch (Error $t) { echo $t->getMessage(), "\n"; }
function u($a = 1, $b = 2) {}
try { u(1, ...['a' => 1, 0 => 2]); } catch (Error $t) { echo $t->getMessage(), "\n"; }
class S { function __toString(): string { return 's'; } function __destruct() { echo "D\n"; } }
function s(string $x) { echo "in\n"; }
s(new S);
s(x: new S);
$f = new Fiber(function (string $x) { echo "in\n"; });
var_dump($f->start(x: new S));
class Hooked { public int $p3 = -128 { get => $this->p3; } }
function y() { yield from new Hooked; }
foreach (y() as $k => $v) { var_dump($k, $v); }
var_dump([...new Hooked]);
class A { function __debugInfo() { echo "in\n"; return ['x' => 1]; } }
print_r([1, new A]);
class B { function __debugInfo() { throw new Exception("x"); } }
var_dump(new B);
