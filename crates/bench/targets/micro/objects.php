<?php
interface Shape { public function area(): float; }
abstract class Base implements Shape
{
    public function __construct(protected float $size) {}
    public function scaled(float $by): static { $copy = clone $this; $copy->size *= $by; return $copy; }
}
final class Square extends Base { public function area(): float { return $this->size ** 2; } }
final class Circle extends Base
{
    public function area(): float { return 3.0 * $this->size ** 2; }
    public function __get($name) { return "magic $name"; }
    public function __call($name, $arguments) { return count($arguments); }
    public function __toString(): string { return 'circle ' . $this->size; }
}
enum Kind: string { case Square = 's'; case Circle = 'c'; }
$area = 0.0;
$sum = 0;
for ($i = 0; $i < 20000; $i++) {
    $kind = Kind::from($i % 3 ? 's' : 'c');
    $shape = match ($kind) { Kind::Square => new Square($i % 10), Kind::Circle => new Circle($i % 7) };
    $area += $shape->scaled(0.5)->area();
    if ($shape instanceof Circle) {
        $sum += strlen($shape->name) + $shape->anything(1, 2) + strlen((string) $shape);
    }
    $sum += $shape instanceof Shape ? 1 : 0;
}
echo 'objects ', $area, ' ', $sum, "\n";
