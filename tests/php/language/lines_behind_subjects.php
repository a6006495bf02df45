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
