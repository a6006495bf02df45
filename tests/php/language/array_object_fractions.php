<?php
function t($f) { try { $f(); } catch (Throwable $e) { do { echo get_class($e), ": ", $e->getMessage(), " @", $e->getLine(), "\n"; } while ($e = $e->getPrevious()); echo "--\n"; } }
// A fraction that an ArrayIterator cannot use is told of once.
t(function () { $g = (new \ArrayIterator([1, 2])); $g[1.7][1] %= 0; });
t(function () { $g = (new \ArrayIterator([1, [2]])); $g[1.7][1] = 0; });
t(function () { $g = (new \ArrayIterator([1, [2]])); $g[1.7][1] .= 0; });
t(function () { $g = (new \ArrayIterator([1, [2]])); $g[5.7][1] .= 0; });
t(function () { $g = (new \ArrayIterator([1, [2]])); $g[5.7][1] = 0; });
t(function () { $g = (new \ArrayIterator([1, [2]])); $g[5][1] .= 0; });
t(function () { $g = (new \ArrayIterator([1, 2])); $g[1.7] %= 0; });
t(function () { $g = (new \ArrayIterator([1, 2])); $g[1.7]++; });
t(function () { $g = (new \ArrayIterator([1, 2])); $g[1.7] ??= 0; });
t(function () { $g = (new \ArrayIterator([1, 2])); var_dump(isset($g[1.7])); });
t(function () { $g = (new \ArrayIterator([1, 2])); var_dump(isset($g[1.7][1])); });
t(function () { $g = (new \ArrayIterator([1, 2])); unset($g[1.7]); });
t(function () { $g = (new \ArrayIterator([1, [2]])); unset($g[1.7][1]); });
t(function () { $g = (new \ArrayIterator([1, [2]])); $r = &$g[1.7]; });
t(function () { $g = (new \ArrayIterator([1, [2]])); foreach ($g[1.7] as &$r); });
