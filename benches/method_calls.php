<?php
// Instance methods, inherited and overridden, through an interface.
interface Shape { public function area(): int; }
abstract class Base implements Shape
{
    public function __construct(protected int $a) {}
    public function twice(): int { return 2 * $this->area(); }
    public function add(int $n): static { $this->a += $n; return $this; }
}
class Square extends Base { public function area(): int { return $this->a * $this->a; } }
class Strip extends Base { public function area(): int { return $this->a * 3; } }
$shapes = [new Square(1), new Strip(2), new Square(3)];
$sum = 0;
for ($i = 0; $i < 700000; $i++) {
    $s = $shapes[$i % 3];
    $sum = ($sum + $s->add(1)->twice() + $s->area()) & 0xFFFFFFF;
}
echo $sum, "\n";
