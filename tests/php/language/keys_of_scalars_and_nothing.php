<?php
// Keys are read, converted and complained of once, in PHP's order, whatever the container is and what a handler does.
function t($s) { echo $s, ": "; try { eval($s); } catch (Throwable $e) { do { echo get_class($e), ': ', $e->getMessage(), " | "; } while ($e = $e->getPrevious()); } if (isset($g)) { echo json_encode($g); } echo "\n"; }
set_error_handler(function($n,$m) { echo "[$m] "; });
foreach ([0,1] as $round) {
t('$x = 7; $x[$b] /= 1;'); t('$x = 7; $x[$b] = 1;'); t('$x = 7; $x[$b] = $c;'); t('$x = 7; $x[$b]++;'); t('$x = 7; $x[$b][1] = 1;'); t('$x = 7; $r = &$x[$b];'); t('$x = 7; unset($x[$b]);'); t('$x = 7; $x[$b] ??= 1;'); t('$x = true; $x[$b] .= $c;'); t('$x = 7; $x[] = $c;'); t('$x = 7; $x[] .= $c;'); t('$x = 7; $x[$b][$c] = $d;'); t('$x = 7; $x[1.5] = 1;');
t('$x = 7; [$x[$b]] = [1];'); t('$x = 7; foreach ([1] as $x[$b]) {}'); t('$x = 7; $x[$b]->p = 1;'); t('$x = 7; $x[$b]->p++;');
t('$g[1] /= 1;'); t('$g[1]++;'); t('$g[1] .= "x";'); t('$g[1][2]++;'); t('$g[1][2] .= "x";'); t('$g[1][2] .= $u;'); t('$g[$u] .= $v;'); t('$g[$u] = $v;'); t('$g[$u]++;'); t('$g[] .= $v;'); t('$g->p++;'); t('$g->p[1]++;'); t('$g[1]->p++;'); t('$g[1]->p = 1;'); t('$r = &$g[$u];'); t('$g[$u][$v] = 1;'); t('$g[$u] ??= 1;'); t('++$g;'); t('$g .= $u;'); t('$g += $u;'); t('[$g[$u]] = [$v];'); t('$g = [1]; $g[2] .= $v;'); t('$g = [1]; $g[$u] .= $v;'); t('$g = [1]; $g[2]++;'); t('$g = [1]; $g[$u][$v] .= 1;'); t('$g = false; $g[1] .= 1;'); t('$g = null; $g[1] = $v;');t('$g = null; $g[$u] = $v;');t('$g = null; $g[1.5] = $v;');t('$g = null; $g[1.5] .= $v;');t('$g = null; $g[1.5]++;');t('$g = []; $g[1.5][1.5] = $v;');t('$g = []; $g[1.5] = $g;');t('$g = []; $g[1.5] ??= 1;');

t('$h = new SplFixedArray(3); $h[1] = &$e;'); t('$h = new SplObjectStorage(); $h[$h] = &$e;'); t('$h = new ArrayObject([1,2]); $r = &$h[0]; $r = 7; $g = $h[0];');t('$h = new ArrayObject([1,2]); [$h[0], $h[1]] = [&$r, 5];');t('if (!class_exists("AA")) { class AA implements ArrayAccess { function offsetGet($o): mixed { return 1; } function offsetSet($o, $v): void {} function offsetExists($o): bool { return true; } function offsetUnset($o): void {} } } $h = new AA; $h[1] = &$e;');
set_error_handler(function($n,$m) { throw new Exception($m); });
}
