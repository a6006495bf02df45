<?php
// The exception handler may exit with a status.
set_exception_handler(function ($e) { echo 'handling ', $e->getMessage(), "\n";
exit(17); });
throw new RuntimeException('boom');
