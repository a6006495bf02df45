<?php
// Heap sort on a packed array by reference.
function heapsort(int $n, array &$ra): void
{
    $l = ($n >> 1) + 1;
    $ir = $n;
    while (true) {
        if ($l > 1) {
            $rra = $ra[--$l];
        } else {
            $rra = $ra[$ir];
            $ra[$ir] = $ra[1];
            if (--$ir === 1) {
                $ra[1] = $rra;
                return;
            }
        }
        $i = $l;
        $j = $l << 1;
        while ($j <= $ir) {
            if ($j < $ir && $ra[$j] < $ra[$j + 1]) {
                $j++;
            }
            if ($rra < $ra[$j]) {
                $ra[$i] = $ra[$j];
                $j += ($i = $j);
            } else {
                $j = $ir + 1;
            }
        }
        $ra[$i] = $rra;
    }
}
$seed = 42;
$n = 150000;
$ary = [0];
for ($i = 1; $i <= $n; $i++) {
    $seed = ($seed * 3877 + 29573) % 139968;
    $ary[$i] = $seed / 139968;
}
heapsort($n, $ary);
printf("%.10f %.10f\n", $ary[1], $ary[$n]);
