<?php
function add(int $a, int $b): int { return $a + $b; }
function fib(int $n): int { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
function variadic(int ...$numbers): int { return count($numbers); }
function defaults($a, $b = 2, $c = [3]) { return $a + $b + $c[0]; }
final class Counter
{
    private int $n = 0;
    public function next(): static { $this->n++; return $this; }
    public static function twice(int $n): int { return 2 * $n; }
    public function value(): int { return $this->n; }
}
$sum = fib(22);
$counter = new Counter();
for ($i = 0; $i < 60000; $i++) {
    $sum = add($sum, $i) & 0xffffff;
    $sum += variadic($i, $i, $i) + defaults($i) + Counter::twice($i) + abs($i) + strlen('four');
    $counter->next()->next();
}
echo 'calls ', $sum, ' ', $counter->value(), "\n";
