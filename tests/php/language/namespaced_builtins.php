<?php
namespace N;

// What min and max give of two equal values depends on how they are called, not on the namespace.
var_dump(min(1, true), min(true, 1), min('1', 1.0), min(1, 1.0, true), \min(1, true), \min('1', 1.0));
var_dump(max(1, true), max(true, 1), max('1', 1.0), max(1, 1.0, true), \max(1, true), \max('1', 1.0));
var_dump(min(...[1, true]), max(...[1, NAN]), max(1, NAN));
$min = 'min';
var_dump($min(1, true), call_user_func('max', true, 1));
try { implode([1], 2); } catch (\TypeError $e) { echo $e->getMessage(), "\n"; }
