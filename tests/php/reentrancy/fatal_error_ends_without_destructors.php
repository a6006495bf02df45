<?php
// After a fatal error no destructor is called, not for arguments and variables that go with the stack either. What is made afterwards has its own.
class Gone { function __destruct() { echo "not reached\n"; } }
class Shown { function __debugInfo() { return 1; } function __destruct() { echo "not reached\n"; } }
class Later { function __destruct() { echo "later\n"; } }
register_shutdown_function(function () { echo "shutdown\n"; $later = new Later; $later = null; $GLOBALS['later'] = new Later; });
function run(Gone $argument) { $variable = new Gone; var_dump(new Shown); }
$global = new Gone;
run(new Gone);
