<?php
// The steps of foreach have the line where its subject ends.
function gen() { yield 1; throw new Exception; }
function id($x) { return $x; }
function show(Exception $e) { echo implode(' ', array_map(fn($t) => $t['line'] ?? '-', $e->getTrace())), "\n"; }
try {
    foreach (
        id(
            gen()
        )
        as $v
    ) {
        echo $v, ' ';
    }
} catch (Exception $e) { show($e); }
try {
    foreach ((function () {
        yield 1;
        yield from gen();
    })() as $k => $v) {
        echo $v, ' ';
    }
} catch (Exception $e) { show($e); }
try {
    foreach ($q =
        gen() as $v) {
        echo $v, ' ';
    }
} catch (Exception $e) { show($e); }
try {
    foreach ([
        1,
        gen(),
    ][1]
        as [
            $a
        ]) {
        echo 'x ';
    }
} catch (Exception $e) { show($e); }
// A match that finds nothing, and the elements of a list.
function t(callable $f) { try { $f(); } catch (Error $e) { echo $e->getLine(), "\n"; } }
set_error_handler(function ($n, $m, $f, $l) { echo "$l: $m\n"; return true; });
t(function () {
    $x = match (5) {
        1 => 2,
        2 => 3,
    };
});
t(function () {
    $x = match (5) {
        1.5 => 2,
        strlen(
            'b'
        ) => 3,
    };
});
t(function () {
    $x = match (
        5
    ) {
        1.5 => function () {
        },
        7,
        8.5 => function () {
        },
    };
});
t(function () {
    [$d]
        = function () {
        };
});
t(function () {
    foreach ([[],
        []] as [
        $a,
        $b]) {
    }
});
// What a function adds to its variadic parameter was not passed.
function v(...$x) { $x[] = 5; echo (new Exception)->getTraceAsString()[3] === '/' ? 'path' : '', json_encode((new Exception)->getTrace()[0]['args']), "\n"; }
v();
v(1, 2);
v(a: 1);
