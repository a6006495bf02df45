<?php gc_disable(); ini_set('precision', 5); putenv('M=1'); ob_start(fn($x) => $x); $a = []; while (true) $a[] = str_repeat('x', 1 << 16);
