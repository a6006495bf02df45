<?php gc_disable(); ini_set('precision', 5); putenv('F=1'); ob_start(); set_error_handler(fn() => true); undefined_function();
