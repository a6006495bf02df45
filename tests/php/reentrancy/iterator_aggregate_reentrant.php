<?php
// getIterator that changes, throws, returns the wrong thing, or starts nested loops over itself.
class L implements IteratorAggregate { public $d = [1, 2, 3]; public $open = 0; function getIterator(): Iterator { $this->open++; try { foreach ($this->d as $k => $v) yield $k => $v; } finally { $this->open--; } } }
$l = new L; foreach ($l as $a) { foreach ($l as $b) { if ($b > $a) break; echo "$a$b({$l->open}) "; } } echo $l->open, "\n";
foreach ($l as $v) { $l->d = []; echo $v; } echo count($l->d), "\n";
class T implements IteratorAggregate { function getIterator(): Iterator { throw new Exception('no iterator'); } } foreach ([fn() => iterator_to_array(new T), fn() => [...new T], fn() => (function () { foreach (new T as $x); })(), fn() => (function () { yield from new T; })()->current(), fn() => max(...new T), fn() => new IteratorIterator(new T), fn() => array_push($GLOBALS['arr'], ...new T)] as $f) try { $arr = []; $f(); echo 'ok '; } catch (Exception $e) { echo get_class($e), ':', $e->getMessage(), ' '; } echo "\n";
class Rec implements IteratorAggregate { function getIterator(): Traversable { return $this; } } try { foreach (new Rec as $x); } catch (Throwable $e) { echo get_class($e), ' ', $e->getMessage(), "\n";
}
class Sw implements IteratorAggregate { function getIterator(): Iterator { global $sw; $sw = [7]; return new ArrayIterator(['x', 'y']); } } $sw = new Sw; foreach ($sw as $k => $v) echo "$k$v "; var_dump($sw); class Reuse implements IteratorAggregate { public $it; function __construct() { $this->it = new ArrayIterator([1, 2, 3]); }
function getIterator(): Iterator { return $this->it; } } $r = new Reuse; foreach ($r as $a) { foreach ($r as $b) { echo $a, $b, ' '; } } echo "\n";
class Swap implements Iterator { public $i = 0; function current(): mixed { return $this->i; }
function key(): mixed { return 'k'; }
function next(): void { $this->i++; if ($this->i === 2) { global $swap; $swap = new ArrayIterator(['swapped']); } }
function rewind(): void {}
function valid(): bool { return $this->i < 4; } } $swap = new Swap; foreach ($swap as $v) echo $v; echo get_class($swap), "\n";
class Neg implements Iterator { function current(): mixed { echo 'c'; return 1; }
function key(): mixed { echo 'k'; return []; }
function next(): void { echo 'n'; }
function rewind(): void { echo 'r'; }
function valid(): bool { echo 'v'; static $n = 0; return $n++ < 1; } } foreach (new Neg as $k => $v) echo json_encode($k); echo "\n";
try { iterator_to_array(new Neg); } catch (TypeError $e) { } $g = (function () { $x = yield from new class implements IteratorAggregate { function getIterator(): Iterator { return (function () { yield 1; return 'lost'; })(); } }; yield $x; })(); foreach ($g as $v) var_dump($v); foreach (new IteratorIterator(new L) as $k => $v) echo $k, $v, ' '; echo "\n";
$gen = (new L)->getIterator(); foreach ($gen as $v) { if ($v == 2) { $gen = null; break; } } echo "done\n";
