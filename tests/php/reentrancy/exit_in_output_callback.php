<?php
// exit inside an output callback while flushing.
ob_start(function ($b) { if (str_contains($b, 'stop')) exit; return strtoupper($b); });
register_shutdown_function(function () { echo "in shutdown\n"; });
echo "stop here\n";
ob_flush();
echo "never\n";
