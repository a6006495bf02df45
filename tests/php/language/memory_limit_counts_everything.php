<?php
// Whatever a program piles up counts against memory_limit: each child below ends with PHP's message.
$endless = [
    'output buffer' => 'ob_start(); while (true) echo str_repeat("y", 10000);',
    'output buffers' => 'while (true) ob_start();',
    'generators' => 'while (true) $g[] = (function () { yield 1; })();',
    'delegating generators' => 'function g() { yield from g(); } foreach (g() as $x) {}',
    'closures' => 'while (true) $c[] = function () {};',
    'fibers' => 'function n() { $f = new Fiber(function () { n(); }); $f->start(); } n();',
    'streams' => 'while (true) $g[] = fopen("php://memory", "r");',
    'memory streams' => '$f = fopen("php://memory", "w+"); while (true) fwrite($f, str_repeat("x", 100000));',
    'shutdown functions' => 'while (true) register_shutdown_function("strlen", "x");',
    'constants' => '$i = 0; while (true) define("C" . $i++, str_repeat("x", 100));',
    'evaluated functions' => '$i = 0; while (true) eval("function f" . $i++ . "() { return [1, 2, 3]; }");',
    'recursion' => 'function f($n) { return f($n + 1) + 1; } f(0);',
    'concatenation' => '$s = "x"; while (true) $s .= $s;',
];
$settings = '-n -d memory_limit=8M -d display_errors=1 -d html_errors=0 -d log_errors=0';
foreach ($endless as $name => $code) {
    $output = shell_exec(escapeshellarg(PHP_BINARY) . " $settings -r " . escapeshellarg($code));
    echo $name, ': ', preg_match('/^\s*Fatal error: Allowed memory size of 8388608 bytes exhausted \(tried/', $output) ? 'limited' : substr($output, 0, 200), "\n";
}
