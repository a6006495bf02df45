<?php
// Array to string conversion inside concatenation, with handlers that change the operands.
set_error_handler(function ($n, $m) { echo "[$m] "; $GLOBALS['a'] = 'str'; $GLOBALS['b'] = ['arr']; return true; });
$a = [1]; $b = 'B'; $c = $a . $b; var_dump($c, $a, $b);
$a = [1]; $b = 'B'; $c = "$a-$b-$a"; var_dump($c);
$a = [1]; $a .= 'x'; var_dump($a);
$a = [1]; $b = 'B'; $b .= $a; var_dump($b);
$a = [1]; $b = 'x'; echo implode(',', [$a, $b]), "\n";
$a = [1]; echo $a, "\n";
$a = [[1], [2]]; echo str_replace('A', 'Z', 'A') . $a[0] . (is_array($a) ? $a[1] : $a), "\n";
$a = [5]; $k = ['x' => 1]; var_dump(@$k["$a"]);
