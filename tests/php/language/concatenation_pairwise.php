<?php
// `a . b . c` makes strings of its operands pair by pair, left to right, as each pair has been evaluated.
class S {
    function __construct(public string $n) {}
    function __toString(): string { echo "<{$this->n}>"; return $this->n; }
}
function s(string $n) { echo "($n)"; return new S($n); }
function v(string $n) { echo "($n)"; return $n; }
function i(int $n) { echo "($n)"; return $n; }
echo "\n", s('a') . s('b') . s('c'), "\n";
echo s('a') . s('b') . s('c') . s('d'), "\n";
echo s('a') . 'x' . s('c'), "\n";
echo s('a') . i(5) . s('c') . v('d') . s('e') . 'x', "\n";
$o = new S('o');
echo $o . s('b') . s('c'), "\n";
echo s('a') . $o . s('c'), "\n";
echo s('a') . "x{$o}y" . s('c'), "\n";
echo s('a') . "{$o->n}y" . s('c'), "\n";
echo "x{$o}y" . s('b') . s('c'), "\n";
$f = s(...);
echo "{$f('a')}{$f('b')}{$f('c')}", "\n";
echo "{$o}{$f('b')}{$o}{$f('c')}", "\n";
echo s('a') . (s('b') . s('c')) . s('d'), "\n";
echo v('a') . $undefined . s('c') . $undefined2, "\n";
echo s('a') . [] . s('c'), "\n";
$x = $undefined3 . [];
$x = [] . $undefined4;
$x = 'p' . s('a') . s('b');
$x .= s('c') . s('d');
echo $x, "\n";
try {
    echo s('a') . new stdClass . s('c');
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
try {
    echo "{$f('a')}{$o->missing()}{$f('c')}";
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
