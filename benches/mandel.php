<?php
// Float arithmetic in loops.
function mandel(int $w, int $h, int $max): int
{
    $sum = 0;
    for ($y = 0; $y < $h; $y++) {
        $ci = 2.0 * $y / $h - 1.0;
        for ($x = 0; $x < $w; $x++) {
            $cr = 2.0 * $x / $w - 1.5;
            $zr = $zi = 0.0;
            for ($i = 0; $i < $max; $i++) {
                $r2 = $zr * $zr;
                $i2 = $zi * $zi;
                if ($r2 + $i2 > 4.0) {
                    break;
                }
                $zi = 2.0 * $zr * $zi + $ci;
                $zr = $r2 - $i2 + $cr;
            }
            $sum += $i;
        }
    }
    return $sum;
}
echo mandel(220, 220, 200), "\n";
