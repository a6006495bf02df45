<?php
// The targets of a pattern write to the variable that the element refers to.
foreach ([&$f] as [$f[''][0], $f]) { }
foreach ([&$f] as [$g, $h]) { }
foreach ([null] as [$g, $h]) { }
foreach ([[1]] as [$g, $h]) { }
foreach ([5] as [$g, $h]) { }
foreach ([&$q] as [$q, $h]) { }
foreach ([&$q] as [$q[0], $h]) { }
foreach ([&$w] as [$w[0], $w[1]]) { }
var_dump($w, $q, $f);
foreach ([&$z] as [$z[0], $z]) { }
foreach ([&$z2] as [$z2[0], $h]) { }
[$y[0], $y] = [&$y][0];
var_dump($y);
$y2 = null;
[$y2[0], $h] = $y2;
