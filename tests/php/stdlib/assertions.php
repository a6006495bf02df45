<?php
// assert(): exceptions, callbacks, warnings; assert_options() and the settings.
function show(callable $f): void
{
    try {
        var_dump($f());
    } catch (Throwable $e) {
        echo get_class($e), '(', $e->getCode(), '): ', $e->getMessage(), "\n";
    }
}

show(fn() => assert(true));
show(fn() => assert(1 > 2));
show(fn() => assert(false, 'described'));
show(fn() => assert(false, new DomainException('own')));
show(fn() => assert([]));
set_error_handler(function (int $level, string $message): bool {
    echo "[$level] $message\n";
    return true;
});
ini_set('assert.callback', 'report');
function report(...$arguments): void
{
    echo 'callback: ', count($arguments), ' ', $arguments[1], ' ', var_export($arguments[3] ?? null, true), "\n";
}
show(fn() => assert(false));
ini_set('assert.exception', 0);
show(fn() => assert(0 === 1, 'no exception'));
show(fn() => call_user_func('assert', false));
var_dump(assert_options(ASSERT_WARNING, 0), assert_options(ASSERT_WARNING), assert_options(ASSERT_CALLBACK));
show(fn() => assert(false));
assert_options(ASSERT_CALLBACK, function () {
    echo "closure\n";
});
show(fn() => assert(false));
assert_options(ASSERT_ACTIVE, 0);
show(fn() => assert(false));
show(fn() => assert_options(99));
