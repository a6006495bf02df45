<?php
// What happens when a reference is wanted and there is only a value.

function &source() { return 5 + 1; }
function &nothing() { return; }
function &ends() { }
function plain() { return [3, 1, 2]; }
function take(&$x) { $x++; return $x; }

$r = &source();
var_dump($r);
$n = &nothing();
var_dump($n);
$m = &ends();
var_dump($m);
$p = &plain();
var_dump($p);
var_dump(take(plain()[0]));
var_dump(end(explode(',', 'a,b')));
try {
    $f = 'take';
    var_dump($f(1 + 1));
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}

class Magic {
    private array $data = ['a' => [1]];
    public function __get($name) { echo "get $name\n"; return $this->data[$name]; }
    public function __set($name, $value) { echo "set $name\n"; $this->data[$name] = $value; }
}
$o = new Magic;
$o->a[] = 2;
$x = &$o->a;
$x = 3;
var_dump($o->a);

function &generator() { $v = 1; while ($v < 3) yield $v; }
foreach (generator() as &$g) { echo $g++, "\n"; }

[$a, [, $b]] = [1, [2, 3]];
$source = [1, [2, 3]];
[&$q, [, &$s]] = $source;
$q = 'q'; $s = 's';
echo json_encode($source), "\n";
