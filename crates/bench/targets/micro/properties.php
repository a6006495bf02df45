<?php
class Point
{
    public int $x = 0;
    public ?Point $next = null;
    public array $list = [];
    public static int $count = 0;
    const STEP = 3;
    public function __construct(public readonly int $id, private float $weight = 1.5) { self::$count++; }
    public function heavier(): float { return $this->weight *= 1.0001; }
}
$points = [];
for ($i = 0; $i < 100; $i++) {
    $points[$i] = new Point($i);
    $points[$i]->next = $points[$i - 1] ?? null;
}
$sum = 0;
for ($round = 0; $round < 800; $round++) {
    foreach ($points as $point) {
        $point->x += Point::STEP;
        $point->x ^= $point->id;
        $point->list[$round & 7] = $point->x;
        $sum += $point->next?->x ?? 1;
        $point->heavier();
    }
}
echo 'properties ', $sum, ' ', Point::$count, ' ', count($points[5]->list), "\n";
