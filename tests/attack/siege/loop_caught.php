<?php
// Does not want to end.
register_shutdown_function(function () { for (;;) { } });
set_error_handler(fn() => true);
try {
    for (;;) {
        try {
            for (;;) { strlen('x'); }
        } finally {
            for (;;) { }
        }
    }
} catch (Throwable $e) {
    for (;;) { }
}
