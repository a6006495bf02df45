<?php
// Writing through an offset of a string: which error depends on what comes next.
set_error_handler(function ($level, $message) { echo "[$message] "; return true; });
foreach (['2x', 'x', '1.5', [], null, 1] as $key) {
    echo json_encode($key), "\n";
    foreach ([
        function () use ($key) { $s = 'text'; unset($s[$key][0]); },
        function () use ($key) { $s = 'text'; unset($s[$key]->p); },
        function () use ($key) { $s = 'text'; $s[$key]->p = 1; },
        function () use ($key) { $s = 'text'; $s[$key]->p = &$x; },
        function () use ($key) { $s = 'text'; $s[$key][1] = 1; },
        function () use ($key) { $s = 'text'; $s[$key] .= 1; },
        function () use ($key) { $s = 'text'; $s[$key][1] .= 1; },
        function () use ($key) { $s = 'text'; $s[$key][1]++; },
        function () use ($key) { $s = 'text'; $r = &$s[$key]; },
    ] as $test) {
        try {
            $test();
        } catch (Error $e) {
            echo '  ', get_class($e), ': ', $e->getMessage(), "\n";
        }
    }
}
