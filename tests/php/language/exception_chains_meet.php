<?php
// An exception that replaces a pending one has that behind it, unless the two share one already.
function test(callable $test) {
    try {
        $test();
    } catch (Exception $e) {
        $names = [];
        for (; $e; $e = $e->getPrevious()) {
            $names[] = $e->getMessage();
        }
        echo implode(' -> ', $names), "\n";
    }
}
function e($message, $previous = null) { return new Exception($message, 0, $previous); }
test(function () { try { throw e('a'); } finally { throw e('b'); } });
test(function () { $a = e('a'); try { throw e('b', $a); } finally { throw $a; } });
test(function () { $a = e('a'); try { throw e('b', $a); } finally { throw e('c', $a); } });
test(function () { $a = e('a'); $b = e('b', $a); try { throw e('c', $b); } finally { throw e('d', e('e', $a)); } });
test(function () { $a = e('a'); try { throw $a; } finally { throw $a; } });

// Destructors at the end make objects that are destructed too; `exit` in one of them ends that one alone.
class Chain {
    static $left = 3;
    static $kept = [];
    function __destruct() {
        echo 'end ', self::$left, "\n";
        if (self::$left-- > 0) {
            self::$kept[] = new Chain;
        }
    }
}
class Throws { function __destruct() { throw new Exception('from the destructor'); } static function f() { echo "not called\n"; } }
try {
    [new Throws, 'f']();
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
$chain = new Chain;
register_shutdown_function(function () { exit("exit\n"); });
