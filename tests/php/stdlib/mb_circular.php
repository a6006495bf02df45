<?php
// Arrays that contain themselves are refused; the same array twice is none of those.
$cycle = ['x'];
$cycle[1] = &$cycle;
var_dump(mb_check_encoding($cycle, 'UTF-8'), mb_convert_variables('UTF-8', ['ASCII', 'UTF-8'], $cycle));
$shared = ['y'];
var_dump(mb_check_encoding([&$shared, &$shared], 'UTF-8'));
