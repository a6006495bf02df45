<?php gc_disable(); for ($i = 0; $i < 30000; $i++) { $a = new stdClass; $a->self = $a; } gc_enable(); gc_collect_cycles(); gc_disable();
