<?php
// E_USER_ERROR stops the script when nobody handles it.
register_shutdown_function(fn() => print("shutdown\n"));
echo "before\n";
trigger_error('stop here', E_USER_ERROR);
echo "never\n";
