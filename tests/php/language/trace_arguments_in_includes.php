<?php
// Arguments in traces are those of the variables now, also while included or evaluated code has them.
function evaluates($a, $b) {
    eval('$b = [1]; print_r(debug_backtrace()[1]["args"]);');
}
evaluates('first', 'second');
function throws($a) {
    $a .= ' changed';
    eval('$a .= " again"; throw new Exception("thrown");');
}
try {
    throws('argument');
} catch (Exception $e) {
    print_r($e->getTrace()[1]['args']);
}
// A call of a deprecated function is not in the trace of its own deprecation.
set_error_handler(function ($level, $message) {
    echo $message, ': ', implode(', ', array_column(debug_backtrace(), 'function')), "\n";
    return true;
});
#[Deprecated] function old() { return 1; }
old();
array_map('old', [1]);
// `$this` where there is none.
foreach ([
    static fn() => isset($this),
    static fn() => isset($this->a),
    static fn() => isset($this->a->b),
    static fn() => empty($this->a),
    static fn() => $this->a ?? 1,
] as $test) {
    try {
        var_dump($test());
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
// What stands on the left of a commutative operator as a literal is the second operand in messages.
foreach ([fn($o) => [] * $o, fn($o) => 1 & $o, fn($o) => $o | 'x', fn($o) => 1 + $o] as $test) {
    try {
        $test(new stdClass);
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    }
}
