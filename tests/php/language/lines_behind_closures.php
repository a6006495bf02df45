<?php
// What stands behind a closure of several lines has the line of its end; what is written to has its own line.
function f(int $x) {}
function g($x, $y) {}
function tell(callable $what) {
    try {
        $what();
    } catch (Throwable $t) {
        echo $t->getMessage(), ' in line ', $t->getLine(), "\n", $t->getTraceAsString(), "\n";
    }
}
tell(function () {
    return 1 . function () {
    };
});
tell(function () {
    return (function ($x) {
    })();
});
tell(function () {
    return (int) function () {
        return 1;
    };
});
tell(function () {
    f(function () {
    });
});
tell(function () {
    $undefined->property = fn() =>
        1;
});
tell(function () {
    $array[[]][1] = function () {
    };
});
tell(function () {
    $array[1][[]] .= intdiv(
        4,
        2,
    );
});
tell(function () {
    $call = 'g';
    $call(function () {
    }, $missing);
});
tell(function () {
    echo function () {
    }, "\n";
});
