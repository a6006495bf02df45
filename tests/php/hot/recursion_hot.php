<?php
// Recursive functions that become compiled while frames of them are on the stack; mutual, variadic, default and named calls.
function ack($m, $n) { return $m === 0 ? $n + 1 : ($n === 0 ? ack($m - 1, 1) : ack($m - 1, ack($m, $n - 1))); } var_dump(ack(2, 30));
function tak(int $x, int $y, int $z): int { return $y >= $x ? $z : tak(tak($x - 1, $y, $z), tak($y - 1, $z, $x), tak($z - 1, $x, $y)); } var_dump(tak(10, 6, 2));
function hanoi(int $n, string $a = 'a', string $b = 'b', string $c = 'c', &$moves = 0): int { if ($n) { hanoi($n - 1, $a, c: $b, b: $c, moves: $moves); $moves++; hanoi($n - 1, $c, $b, $a, $moves); } return $moves; } var_dump(hanoi(10));
function even($n) { return $n === 0 ? true : odd($n - 1); } function odd($n) { return $n === 0 ? false : even($n - 1); } var_dump(even(2000), odd(1999));
function deep($n, ...$rest) { return $n === 0 ? count($rest) : deep($n - 1, ...$rest, ...[$n]); } var_dump(deep(60));
function walk($t) { static $visits = 0; $visits++; return is_array($t) ? array_sum(array_map('walk', $t)) : $t; } $t = 1; for ($i = 0; $i < 8; $i++) $t = [$t, $i, $t];
var_dump(walk($t));
class Node { public $l, $r, $v; function __construct($d) { $this->v = $d; if ($d > 0) { $this->l = new Node($d - 1); $this->r = new static($d - 1); } } function sum() { return $this->v + ($this->l ? $this->l->sum() : 0) + ($this->r?->sum() ?? 0); } function each(callable $f) { $this->l?->each($f); $f($this->v); $this->r?->each($f); } function gen() { if ($this->l) yield from $this->l->gen(); yield $this->v; if ($this->r) yield from $this->r->gen(); } function __clone() { if ($this->l) { $this->l = clone $this->l; $this->r = clone $this->r; } } } $n = new Node(9);
var_dump($n->sum()); $s = 0; $n->each(function ($v) use (&$s) { $s = ($s * 3 + $v) % 10007; });
var_dump($s); $g = 0; foreach ($n->gen() as $v) $g = ($g * 3 + $v) % 10007;
var_dump($g === $s, (clone $n)->sum(), $n == clone $n); $memo = []; $part = function ($n, $m) use (&$part, &$memo) { if ($n === 0) return 1; if ($n < 0 || $m === 0) return 0; return $memo["$n,$m"] ??= $part($n - $m, $m) + $part($n, $m - 1); };
var_dump($part(60, 60));
function collatz(int $n, int $steps = 0): int { return $n === 1 ? $steps : collatz($n % 2 ? 3 * $n + 1 : intdiv($n, 2), $steps + 1); } var_dump(max(array_map(collatz(...), range(1, 400))));
function perm(string $s): array { if (strlen($s) < 2) return [$s]; $o = []; for ($i = 0; $i < strlen($s); $i++) foreach (perm(substr($s, 0, $i) . substr($s, $i + 1)) as $p) $o[] = $s[$i] . $p; return $o; } var_dump(count(perm('abcdef')), perm('abcdef')[500]);
function redeclare() { static $mode = 'a'; if ($mode === 'a') { $mode = 'b'; return redeclare() . 'A'; } return 'B'; } var_dump(redeclare(), redeclare());
abstract class Ex { abstract function ev(); static function rnd(int $d): Ex { return $d === 0 ? new Num($d + 2) : new Bin(self::rnd($d - 1), self::rnd($d - 1), ['+', '*', '-'][$d % 3]); } } class Num extends Ex { function __construct(private int $n) {} function ev() { return $this->n; } } class Bin extends Ex { function __construct(private Ex $l, private Ex $r, private string $op) {} function ev() { return match ($this->op) { '+' => $this->l->ev() + $this->r->ev(), '-' => $this->l->ev() - $this->r->ev() + 1, '*' => $this->l->ev() * $this->r->ev() }; } } var_dump(Ex::rnd(9)->ev());
