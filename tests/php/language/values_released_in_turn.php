<?php
// In which order values are released when an exception passes, as the numbers of the next objects tell.
function t($f) { try { $f(); } catch (Error $e) { echo get_class($e), " ", $e->getLine(), "\n"; } $a = new stdClass; $b = new stdClass; $c = new stdClass; var_dump($a, $b, $c); }
function thrower(...$a) { throw new Error('x'); }
class F { }
t(function() { match ((object) [1]) { default => match ((object) [2]) {} }; });
t(function() { match (function() {}) { default => match ((object) [2]) {} }; });
t(function() { switch (new F) { default: thrower(); } });
t(function() { switch (new F) { case new F: thrower(); default: switch (new F) { default: thrower(); } } });
t(function() { foreach ([new F] as $x) { foreach ([new F] as $y) { thrower(); } } });
t(function() { foo(new F, new F, thrower()); });
t(function() { [new F, new F, thrower()]; });
t(function() { (new F) + (new F) + thrower(); });
t(function() { new Exception(new F, thrower()); });
t(function() { return [new F, [new F, match(new F) { }]]; });
t(function() { return [new F, [new F, match(new F) { default => thrower() }]]; });
t(function() { foreach ([new F] as $x) { match(new F) { default => thrower() }; } });
t(function() { switch (new F) { default: foreach ([new F] as $x) { match(new F) { default => thrower() }; } } });
t(function() { return (new F) . thrower(); });
t(function() { return foo(new F) . thrower(); });
t(function() { return [(new F), 1] + [new F, thrower()]; });
t(function() { return [(new F), 1] + foo(new F, thrower()); });
t(function() { return foo(new F, foo(new F, thrower())); });
t(function() { return foo(new F, match (new F) {}); });
t(function() { return foo(new F, [new F, thrower()]); });
t(function() { return match (foo(new F)) { default => match (foo(new F)) {} }; });
t(function() { return match (foo(new F)) { 1 => 2, 3 => match (foo(new F)) {} }; });
t(function() { return match (new F) { foo(new F) => 2, 3 => match (foo(new F)) {} }; });
t(function() { return [match (new F) { default => 1 }, match (new F) { 1 => 2 }]; });
function foo(...$x) { return $x; }

function t1($f) { try { $f(); } catch (Error $e) { echo get_class($e), " ", $e->getLine(), "\n"; } $a = new stdClass; $b = new stdClass; $c = new stdClass; var_dump($a, $b, $c); }
t1(function() { switch (match (new F) { default => match ((object) [1]) {} }) { } });
t1(function() { switch (match (new F) { default => match ((object) [1]) {} }) { case 1: } });
t1(function() { $x = match (new F) { default => match ((object) [1]) {} }; });
t1(function() { $x = match (function() {}) { default => match ((object) [1]) {} }; });
t1(function() { switch (match (function() {}) { default => match ((object) [1]) {} }) {} });
t1(function() { switch (match (function() {}) { default => match ((object) [1, 'a' => null]) {} }) {} });
t1(function() { match (function() use ($f) {}) { default => match ((object) [1, 'a' => null]) {} }; });
t1(function() { match (function() use ($f) {}) { default => match (new F) {} }; });
t1(function() { match (function() use ($f) {}) { default => thrower() }; });
t1(function() { $f = 1; match (function() use ($f) {}) { default => match (new F) {} }; });
t1(function() { foo(function() use ($f) {}, new F, thrower()); });
t1(function() { $q = [function() use ($f) {}, new F, thrower()]; });
t1(function() { (function() use ($f) {}) + (new F)->a(); });
t1(function() { match (fn() => 1) { default => match (new F) {} }; });


function t2($g) { $g = $g(); foreach ($g as $_) {} }
t2(function () { (yield from new \ArrayIterator([])); var_dump((object) 1); });
t2(function () { (yield from new \ArrayIterator([1])); var_dump((object) 1); });
t2(function () { $x = new \ArrayIterator([1]); (yield from $x); var_dump((object) 1); });
t2(function () { $x = new \ArrayIterator([]); (yield from $x); var_dump((object) 1); });
class IA implements IteratorAggregate { function getIterator(): Iterator { return new ArrayIterator([1]); } }
class IT implements Iterator { function current(): mixed { return 1; } function next(): void { $this->v = 0; } function valid(): bool { return $this->v; } public $v = 1; function rewind(): void {} function key(): mixed { return 1; } }
foreach (['IA', 'IT'] as $c) {
t2(function () use ($c) { (yield from new $c); var_dump((object) 1); });
t2(function () use ($c) { $x = new $c; (yield from $x); var_dump((object) 1); });
}
t2(function () { try { (yield from new \ArrayIterator([1])); } finally { var_dump((object) 1); } });
t2(function () { yield from (function() { yield 1; })(); var_dump((object) 1); });
t2(function () { yield from (function() { yield from new ArrayIterator([1, 2]); })(); var_dump((object) 1); });
try {
    echo [strrev(...) => ((object) [1, 'a' => null])];
} catch (TypeError $t) {
}
$g = (function () { yield 1; })();
echo spl_object_id($g), "\n";
