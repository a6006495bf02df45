<?php
// exit with an integer sets the status and prints nothing.
register_shutdown_function(function () { echo "in shutdown\n"; exit(7); });
echo "x\n";
exit(3);
