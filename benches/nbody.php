<?php
// Float properties of objects.
final class Body
{
    public function __construct(
        public float $x, public float $y, public float $z,
        public float $vx, public float $vy, public float $vz, public float $mass,
    ) {}
}
function energy(array $bodies): float
{
    $e = 0.0;
    foreach ($bodies as $i => $b) {
        $e += 0.5 * $b->mass * ($b->vx ** 2 + $b->vy ** 2 + $b->vz ** 2);
        for ($j = $i + 1; $j < count($bodies); $j++) {
            $c = $bodies[$j];
            $e -= $b->mass * $c->mass / sqrt(($b->x - $c->x) ** 2 + ($b->y - $c->y) ** 2 + ($b->z - $c->z) ** 2);
        }
    }
    return $e;
}
function advance(array $bodies, float $dt): void
{
    $n = count($bodies);
    for ($i = 0; $i < $n; $i++) {
        $a = $bodies[$i];
        for ($j = $i + 1; $j < $n; $j++) {
            $b = $bodies[$j];
            $dx = $a->x - $b->x;
            $dy = $a->y - $b->y;
            $dz = $a->z - $b->z;
            $d2 = $dx * $dx + $dy * $dy + $dz * $dz;
            $mag = $dt / ($d2 * sqrt($d2));
            $a->vx -= $dx * $b->mass * $mag;
            $a->vy -= $dy * $b->mass * $mag;
            $a->vz -= $dz * $b->mass * $mag;
            $b->vx += $dx * $a->mass * $mag;
            $b->vy += $dy * $a->mass * $mag;
            $b->vz += $dz * $a->mass * $mag;
        }
    }
    foreach ($bodies as $b) {
        $b->x += $dt * $b->vx;
        $b->y += $dt * $b->vy;
        $b->z += $dt * $b->vz;
    }
}
$bodies = [
    new Body(0, 0, 0, 0, 0, 0, 39.47),
    new Body(4.84, -1.16, -0.10, 0.60, 2.81, -0.02, 0.037),
    new Body(8.34, 4.12, -0.4, -1.01, 1.82, 0.008, 0.011),
    new Body(12.89, -15.11, -0.22, 1.08, 0.86, -0.01, 0.0017),
    new Body(15.37, -25.9, 0.17, 0.97, 0.59, -0.03, 0.002),
];
for ($i = 0; $i < 28000; $i++) {
    advance($bodies, 0.01);
}
printf("%.9f\n", energy($bodies));
