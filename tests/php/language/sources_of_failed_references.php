<?php
function t($f) { try { var_dump($f()); } catch (Throwable $e) { do echo get_class($e), ': ', $e->getMessage(), "\n"; while ($e = $e->getPrevious()); } }
t(function () { $g = (function () { yield 1; })(); try { $g->$g = &$h; } finally { var_dump($h); } });
t(function () { $g = new stdClass; try { $g->{[]} = &$h; } finally { var_dump($h); } });
t(function () { $g = 5; try { $g->x = &$h; } finally { var_dump($h); } });
t(function () { $g = 5; try { $g[1] = &$h; } finally { var_dump($h); } });
t(function () { $g = 'abc'; try { $g[1] = &$h; } finally { var_dump($h); } });
t(function () { $g = []; try { $g[[]] = &$h; } finally { var_dump($h); } });
t(function () { $g = []; try { $g[[]] = &$h[1]; } finally { var_dump($h); } });
t(function () { $g = new stdClass; try { $g[1] = &$h; } finally { var_dump($h); } });
t(function () { $g = new ArrayObject; try { $g[[]] = &$h; } finally { var_dump($h); } });
t(function () { try { stdClass::$x = &$h; } finally { var_dump($h); } });
t(function () { $g = new class { public readonly int $r; }; try { $g->r = &$h; } finally { var_dump($h); } });
t(function () { $g = new class { private int $r; }; try { $g->r = &$h; } finally { var_dump($h); } });
t(function () { $g = new class { public int $r; }; try { $g->r = &$h; } finally { var_dump($h); } });
