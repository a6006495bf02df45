<?php
// Generators and iterators with unusual keys in foreach, list, iterator_to_array and spread.
function g() { yield [1] => 'array'; yield 1.5 => 'float'; yield null => 'null'; yield true => 'true'; yield new ArrayObject => 'object'; yield 'k' => 'k1'; yield 'k' => 'k2'; yield 7 => 'seven'; yield 'auto'; yield -5 => 'neg'; yield 'auto2'; yield '12' => 'numeric string'; yield 'auto3'; }
foreach (g() as $k => $v) echo get_debug_type($k), ' ', json_encode($k), '=', $v, "\n";
foreach ([fn() => iterator_to_array(g()), fn() => [...g()], fn() => iterator_to_array(g(), false), fn() => f(...g())] as $f) try { echo json_encode($f()), "\n"; } catch (Throwable $e) { echo get_class($e), ' ', $e->getMessage(), "\n"; } function f(...$a) { return $a; }
function named() { yield 'b' => 2; yield 'a' => 1; } function ab($a, $b) { return "$a$b"; } echo ab(...named()), json_encode([...named(), ...named()]), "\n";
function mixed_() { yield 'a' => 1; yield 2; } try { ab(...mixed_()); } catch (Error $e) { echo $e->getMessage(), "\n"; } foreach ((fn() => yield from ['x' => 1, 'y' => 2])() as $k => $v) echo $k, $v; echo "\n";
[$p, [$q]] = [...(fn() => yield from [1, [2]])()]; echo $p + $q, "\n";
foreach ((function () { foreach ([1, 2, 3] as $i) { $cmd = yield $i => $i * 10; if ($cmd) echo "[$cmd]"; } })() as $k => [0 => $v]) echo $k; echo "\n";
function pairs() { yield [1, 'one']; yield [2, 'two']; } foreach (pairs() as [$n, $name]) echo "$n:$name "; foreach (pairs() as ['1' => $name, 0 => $n]) echo "$name:$n "; echo "\n";
$it = (function () { yield from [3 => 'a', 1 => 'b']; yield 'c'; return 'r'; })(); foreach ($it as $k => $v) echo $k, $v, ' '; echo $it->getReturn(), "\n";
echo implode(',', array_keys(iterator_to_array(new ArrayIterator([3 => 'x', 1 => 'y'])))), "\n";
$gen = (fn() => yield 1)(); foreach ($gen as $x); try { foreach ($gen as $x); } catch (Exception $e) { echo $e->getMessage(), "\n"; } foreach (new ArrayIterator(['a' => ['x' => 1]]) as $k => ['x' => $x]) echo $k, $x, "\n";
class KV implements Iterator { private $i = 0; function current(): mixed { return $this->i; } function key(): mixed { return ['composite', $this->i]; } function next(): void { $this->i++; } function rewind(): void { $this->i = 0; } function valid(): bool { return $this->i < 2; } } foreach (new KV as $k => $v) echo $k[0], $k[1]; echo "\n";
