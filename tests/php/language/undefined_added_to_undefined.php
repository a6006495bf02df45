<?php
function g1() { for ($i = 0; $i < 2; $i++) { $d .= '1'; } $a += $e; return 1; }
g1();
function g2() { $a += $e; return ['a' => $a ?? 'none', 'e' => $e ?? 'none']; }
g2();
function g3() { $a += $e; return $a; }
g3();
function g4() { $a += $e; return $a + $e; }
g4();
