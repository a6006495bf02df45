<?php
foreach ([PHP_INT_MIN, -400, -330, -324, -310, -309, -308, -300, -20, -3, 0, 3, 15, 20, 300, 308, 309, 323, 324, 400, PHP_INT_MAX] as $p)
  foreach ([-2, 2, -2.5, 2.5, -0.0, 0.0, PHP_INT_MIN, PHP_INT_MAX, 1e300, -1e300, 1e-300, -1e-310, 5e307, INF, NAN] as $v) { echo "$p ", json_encode([var_export($v, true)]), ' '; var_dump(round($v, $p)); }
