<?php
// A lazy, immutable collection class with generators, first-class callables and magic higher-order access.
final class Coll implements IteratorAggregate, Countable, ArrayAccess, JsonSerializable
{
    private function __construct(private Closure $src) {}
    public static function of(iterable $it): self { return new self(static fn() => yield from $it); }
    public static function range(int $a, int $b = PHP_INT_MAX): self { return new self(static function () use ($a, $b) { for (; $a <= $b; $a++) yield $a; }); }
    public function getIterator(): Generator { return ($this->src)(); }
    private function then(Closure $f): self { $self = $this; return new self(static fn() => $f($self)); }
    public function map(callable $f): self { return $this->then(static function ($it) use ($f) { foreach ($it as $k => $v) yield $k => $f($v, $k); }); }
    public function filter(?callable $f = null): self { return $this->then(static function ($it) use ($f) { foreach ($it as $k => $v) if ($f ? $f($v, $k) : $v) yield $k => $v; }); }
    public function take(int $n): self { return $this->then(static function ($it) use ($n) { if ($n > 0) foreach ($it as $k => $v) { yield $k => $v; if (--$n === 0) return; } }); }
    public function skip(int $n): self { return $this->then(static function ($it) use ($n) { foreach ($it as $k => $v) if ($n-- <= 0) yield $k => $v; }); }
    public function takeWhile(callable $f): self { return $this->then(static function ($it) use ($f) { foreach ($it as $k => $v) { if (!$f($v)) break; yield $k => $v; } }); }
    public function flatMap(callable $f): self { return $this->then(static function ($it) use ($f) { foreach ($it as $v) yield from [...$f($v)]; }); }
    public function zip(iterable $o): self { return $this->then(static function ($it) use ($o) { $g = (static fn() => yield from $o)(); foreach ($it as $v) { if (!$g->valid()) return; yield [$v, $g->current()]; $g->next(); } }); }
    public function chunk(int $n): self { return $this->then(static function ($it) use ($n) { $c = []; foreach ($it as $v) { $c[] = $v; if (count($c) === $n) { yield $c; $c = []; } } if ($c) yield $c; }); }
    public function unique(?callable $key = null): self { return $this->then(static function ($it) use ($key) { $seen = []; foreach ($it as $k => $v) { $h = serialize($key ? $key($v) : $v); if (!isset($seen[$h])) { $seen[$h] = true; yield $k => $v; } } }); }
    public function scan(callable $f, mixed $acc): self { return $this->then(static function ($it) use ($f, $acc) { foreach ($it as $k => $v) yield $k => $acc = $f($acc, $v); }); }
    public function values(): self { return $this->then(static function ($it) { foreach ($it as $v) yield $v; }); }
    public function sortBy(callable $f, bool $desc = false): self { return $this->then(static function ($it) use ($f, $desc) { $a = iterator_to_array($it, false); usort($a, static fn($x, $y) => ($desc ? -1 : 1) * ($f($x) <=> $f($y))); yield from $a; }); }
    public function groupBy(callable $f): array { $g = []; foreach ($this as $v) $g[$f($v)][] = $v; return $g; }
    public function reduce(callable $f, mixed $acc = null): mixed { foreach ($this as $k => $v) $acc = $f($acc, $v, $k); return $acc; }
    public function all(): array { return iterator_to_array($this, true); }
    public function list(): array { return iterator_to_array($this, false); }
    public function first(mixed $default = null): mixed { foreach ($this as $v) return $v; return $default; }
    public function count(): int { return iterator_count($this->getIterator()); }
    public function tap(callable $f): self { return $this->map(static function ($v) use ($f) { $f($v); return $v; }); }
    public function jsonSerialize(): array { return $this->all(); }
    public function __get(string $m): object { return new class($this, $m) { public function __construct(private Coll $c, private string $m) {} public function __get(string $p): mixed { return $this->c->{$this->m}(static fn($v) => is_array($v) ? $v[$p] ?? null : $v->$p); } public function __call(string $f, array $a): mixed { return $this->c->{$this->m}(static fn($v) => is_object($v) ? $v->$f(...$a) : $f($v, ...$a)); } }; }
    public function offsetExists(mixed $o): bool { foreach ($this as $k => $_) if ($k == $o) return true; return false; }
    public function offsetGet(mixed $o): mixed { foreach ($this as $k => $v) if ($k == $o) return $v; throw new OutOfBoundsException("no $o"); }
    public function offsetSet(mixed $o, mixed $v): void { throw new LogicException('immutable'); }
    public function offsetUnset(mixed $o): void { throw new LogicException('immutable'); }
}
$c = Coll::range(1)->map(fn($x) => $x ** 2)->filter(fn($x) => $x % 3 === 1);
echo json_encode($c->take(5)), json_encode($c->skip(2)->take(2)->list()), $c->first(), json_encode($c->takeWhile(fn($x) => $x < 60)->values()), "\n";
$people = Coll::of([['n' => 'Ann', 'age' => 31, 'c' => 'x'], ['n' => 'Bob', 'age' => 25, 'c' => 'y'], ['n' => 'Cid', 'age' => 31, 'c' => 'x'], ['n' => 'Dee', 'age' => 19, 'c' => 'z']]);
echo json_encode($people->map->n), json_encode($people->sortBy->age->map->n->list()), json_encode($people->groupBy->c), json_encode($people->filter(fn($p) => $p['age'] > 20)->map->n->map->strtoupper()->list()), "\n";
echo json_encode(Coll::of(['a' => 1, 'b' => 2])->map(fn($v, $k) => "$k$v")), count(Coll::range(1, 10)->chunk(4)), json_encode(Coll::range(1, 3)->zip(['a', 'b', 'c', 'd'])->list()), json_encode(Coll::range(1, 5)->scan(fn($a, $v) => $a + $v, 0)->list()), json_encode(Coll::of([1, '1', 1.0, [1], [1]])->unique()->list()), "\n";
$n = 0; $lazy = Coll::range(1)->tap(function () use (&$n) { $n++; })->filter(fn($x) => $x % 7 === 0)->take(3); echo $n, json_encode($lazy->list()), $n, json_encode($lazy->list()), $n, "\n"; echo isset($people[2]) ? 'set' : 'unset', isset($people[9]) ? 'set' : 'unset', $people[1]['n']; try { $people[0] = 1; } catch (LogicException $e) { echo $e->getMessage(); } try { $people[99]; } catch (OutOfBoundsException $e) { echo $e->getMessage(), "\n"; } echo $people->reduce(fn($a, $p) => $a + $p['age'], 0), json_encode(Coll::of([[1, 2], [3]])->flatMap(fn($x) => $x)->list()), json_encode(Coll::of([])->first('none')), json_encode($people->sortBy(fn($p) => [$p['age'], -ord($p['n'])], true)->map->n->list()), "\n"; foreach (Coll::range(1, 3) as $i) foreach (Coll::range(1, $i) as $j) echo $i * $j, ' '; echo "\n";
