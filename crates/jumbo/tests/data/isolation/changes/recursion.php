<?php gc_disable(); function r() { r(); } ini_set('memory_limit', '64M'); try { r(); } finally { putenv('R=1'); }
