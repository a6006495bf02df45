<?php
// Endless recursion through magic methods and callbacks raises an Error that can be caught.
class S { function __toString(): string { return 'x' . $this; }
function __get($n) { return $this->{$n . 'x'}; }
function __call($n, $a) { return $this->{$n . 'x'}(); } }
function inf() { return array_map(fn($x) => inf(), [1]); }
foreach ([fn() => (string) new S, fn() => inf(), fn() => (new S)->a] as $i => $f) {
    try { $f(); echo "$i returned\n"; } catch (Error $e) { echo $i, ' ', preg_replace('/\d+ bytes/', 'N bytes', $e->getMessage()), "\n";
}
}
echo "alive\n";
