<?php
function t($f) { try { var_dump($f()); } catch (Throwable $e) { do echo get_class($e), ': ', $e->getMessage(), "\n"; while ($e = $e->getPrevious()); } }
t(function () { $g = new ArrayIterator([1, 2]); $g[3] = &$a; $a = 5; return $g; });
t(function () { $g = new ArrayObject([1, 2]); $a = 1; $g['x'] = &$a; $a = 5; return $g; });
t(function () { $g = new ArrayObject([1, 2]); $a = 1; $g[0] = &$a; $a = 5; return $g; });
t(function () { $g = new ArrayObject([1, 2]); $a = 1; $g[] = &$a; $a = 5; return $g; });
t(function () { $g = new ArrayObject([1, 2]); $a = &$g[0]; $a = 5; return $g; });
t(function () { $g = new ArrayObject([1, 2]); $g[0] = &$g[1]; $g[1] = 5; return $g; });
t(function () { $g = new ArrayObject([1, 2]); $b = [5]; $g[0] = &$b[0]; $b[0] = 6; return $g; });
t(function () { $g = new ArrayObject([1, 2]); $h = clone $g; $b = 5; $g[0] = &$b; $b = 6; return [$g, $h]; });
t(function () { $x = [1, 2]; $g = new ArrayObject($x); $b = 5; $g[0] = &$b; $b = 6; return $x; });
t(function () { $x = new stdClass; $g = new ArrayObject($x); $b = 5; $g['q'] = &$b; $b = 6; return $x; });
class T { public int $p = 1; public $q = 2; private $r = 3; }
t(function () { $x = new T; $g = new ArrayObject($x); $b = 5; $g['q'] = &$b; $b = 6; return $x; });
t(function () { $g = new ArrayObject(new ArrayObject([1, 2])); $b = 5; $g[1] = &$b; $b = 6; return $g; });
t(function () { $g = new ArrayObject([1, 2]); $b = 5; $g[new stdClass] = &$b; $b = 6; return $g; });
t(function () { $g = new ArrayObject([1, 2]); $b = 5; $g[1.5] = &$b; $b = 6; return $g; });
t(function () { $g = new ArrayObject([1, 2]); $b = 5; $g[null] = &$b; $b = 6; return $g; });
t(function () { $g = new ArrayObject([1, 2]); $b = 5; return $g[0] = &$b; });
t(function () { $g = new ArrayObject([1, 2]); foreach ($g as $k => $v) { $g[$k] = &$v; } return $g; });
t(function () { $g = new ArrayObject([1, 2]); $g[0] = &ff(); return $g; });
function ff() { return 5; }
function &fr() { static $s = 7; return $s; }
t(function () { $g = new ArrayObject([1, 2]); $g[0] = &fr(); $s = &fr(); $s = 8; return $g; });
t(function () { $g = new class extends ArrayObject { function offsetGet($n): mixed { echo "get\n"; return parent::offsetGet($n); } }; $a = 5; $g[0] = &$a; $a = 6; return $g; });
t(function () { $g = new class extends ArrayObject { function offsetSet($n, $v): void { echo "set\n"; parent::offsetSet($n, $v); } }; $a = 5; $g[0] = &$a; $a = 6; return $g; });
t(function () { $g = new class extends ArrayObject { function offsetSet($n, $v): void { echo "set\n"; parent::offsetSet($n, $v); } }; $a = 5; $g[] = &$a; $a = 6; return $g; });
t(function () { $g = new ArrayObject([1, 2], ArrayObject::ARRAY_AS_PROPS); $a = 5; $g->p = &$a; $a = 6; return $g; });
t(function () { $g = new ArrayObject([1, 2]); $arr = [7, 8]; [&$x, $g[1]] = $arr; return $g; });
t(function () { $g = new ArrayObject([1, 2]); $arr = [7, 8]; foreach ($arr as &$g[0]) { } return $g; });
t(function () { $g = new ArrayObject([1, 2]); global $zz; $zz = 1; $g['z'] = &$GLOBALS['zz']; $zz = 2; return $g; });
t(function () { $g = new ArrayObject([1, 2], ArrayObject::ARRAY_AS_PROPS); $a = 5; $g->p = &$a; $a = 6; $g->p = 3; return [$g, $a]; });
t(function () { $g = new ArrayObject([1, 2]); $a = 5; $g->p = &$a; $a = 6; return [$g, $a]; });
class AP extends ArrayObject { public $own = 1; }
t(function () { $g = new AP([1, 2], ArrayObject::ARRAY_AS_PROPS); $a = 5; $g->own = &$a; $a = 6; return [$g, $a]; });
t(function () { $g = new AP([1, 2], ArrayObject::ARRAY_AS_PROPS); $a = 5; return $g->q = &$a; });
t(function () { $g = new ArrayObject([1, 2]); $r = &$g[1]; $g[1] = &ff(); return [$g, $r]; });
t(function () { $g = new ArrayObject([1, 2]); $g->uasort(function ($a, $b) use ($g) { $x = 1; $g[1] = &$x; return 0; }); return $g; });
