<?php
abstract class Shape { abstract function area(): float; abstract protected function name(string $prefix = 'x', int ...$n): ?string; }
interface Draws { const X = 1; function draw(array $a = [], self|null $o = null); }
class Square extends Shape implements Draws, Countable { function count(): int { return 1; } }
