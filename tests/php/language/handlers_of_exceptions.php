<?php
// The stack of exception handlers and what happens when a handler throws.

set_exception_handler(function (Throwable $e) { echo 'first: ', $e->getMessage(), "\n"; });
set_exception_handler(function (Throwable $e) {
    echo 'second: ', $e->getMessage(), "\n";

    throw new LogicException('from the handler', 5, $e);
});
register_shutdown_function(function () { echo "shutdown\n"; });
function deep($x, ...$rest) { throw new RuntimeException('deep'); }
deep([1], 'a long string that is cut in traces', new stdClass, 1.0, null, named: true);
