<?php
// An assignment frees the array that its own place lies in.
function value() { return [1]; }
$a = [&$a];
var_dump($a[0] = &value());
var_dump($a);
$b = [&$b, 2];
var_dump($b[0] = value());
var_dump($b);
$c = [&$c];
var_dump($c[0] .= 'x');
$d = ['k' => ['l' => &$d]];
var_dump($d['k']['l'] ??= 5, $d['k']['l'] = 6, $d);
$e = [1, &$e];
var_dump($e[1] += [3]);
