<?php
// list() by reference: from functions, of a variable that is a target itself, with notices for what cannot be referenced.
function val($x) { return $x; } function &byref(&$x) { return $x; }
$a = [1, 2]; [&$x] = val($a); $x++; var_dump($a, $x); [&$y] = byref($a); $y = 9; var_dump($a);
$a = [1, 2]; $ref = &$a; list(&$a, &$b) = $a; $a++; $b++; var_dump($a, $b, $ref);
$n = [[1, [2, 3]]]; [[, [&$p, $q]]] = $n; $p = 'changed'; var_dump($n, $q);
