<?php gc_disable(); ob_start(); (function () { foreach ((function () { try { yield 1; } finally { ini_set('precision', 1); } })() as $x) exit(3); })();
