<?php
// exit inside an included file, from a function called in an argument list.
function arg() { return include __DIR__ . '/inc/exits.php'; }
register_shutdown_function(fn() => print("shutdown\n"));
echo strlen('a' . arg()), "never\n";
