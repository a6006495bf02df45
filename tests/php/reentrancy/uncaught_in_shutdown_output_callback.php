<?php
// An exception from an output callback at the end of the script.
set_exception_handler(fn($e) => print("handler: {$e->getMessage()}\n"));
ob_start(function ($b) { if ($b !== '') throw new Exception('in callback'); return $b; });
echo "content\n";
