<?php
// `$a[$a] = …` makes an array of null before the offset is read.
function t($f) { try { var_dump($f()); } catch (Error $e) { echo get_class($e), $e->getMessage(), "\n"; } }
t(function() { $c = null; $c[$c] = 1; var_dump($c); });
t(function() { $c = false; $c[$c] = 1; var_dump($c); });
t(function() { $c[$c] = 1; var_dump($c); });
t(function() { $c[$c]++; var_dump($c); });
t(function() { $c[$c] .= "a"; var_dump($c); });
t(function() { $c[$c][1] = 2; var_dump($c); });
t(function() { $c = null; $c[$c][1] = 2; var_dump($c); });
t(function() { $c = null; $d = &$c[$c]; var_dump($c); });
t(function() { $c = null; unset($c[$c]); var_dump($c); });
t(function() { $c = null; $d = $c[$c]; var_dump($c); });
t(function() { $c = 1; $c[$c] = 1; var_dump($c); });
t(function() { $c = []; $c[$c] = 1; var_dump($c); });
t(function() { $c = null; $c[$c] ??= 1; var_dump($c); });
t(function() { $c = null; $c[$c] = $c; var_dump($c); });
t(function() { $c = null; $b = &$c; $c[$b] = 5; var_dump($c); });
