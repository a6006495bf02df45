<?php
// Calls that PHP compiles to opcodes are none in traces; calls of a closure's __invoke are two.
function shown(array $trace): string
{
    return implode(', ', array_map(fn($t) => ($t['class'] ?? '') . ($t['type'] ?? '') . preg_replace('/{closure.*/', '{closure}', $t['function']) . '@' . ($t['line'] ?? '-'), $trace));
}
class C implements Countable {
    function count(): int { echo shown(debug_backtrace()), "\n"; return 1; }
    function __toString(): string { echo shown(debug_backtrace()), "\n"; return 'x'; }
    function parts() { try { return array_key_exists([], []); } catch (Error $e) { echo shown($e->getTrace()), "\n"; } }
}
set_error_handler(function ($n, $m) { echo "[$m] ", shown(debug_backtrace()), "\n"; return true; });
function t(callable $f) { try { $f(); } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), ' ', shown($e->getTrace()), "\n"; } }
t(fn() => count(new C));
t(fn() => sizeof(new C));
t(fn() => count(1));
t(fn() => sizeof(1));
t(fn() => count(new C, 1));
t(fn() => strlen(new C));
t(fn() => strlen(null));
t(fn() => strval(new C));
t(fn() => intval(new C));
t(fn() => intval(new C, 8));
t(fn() => get_class(1));
t(fn() => get_called_class());
t(fn() => array_key_exists(1, 1));
t(fn() => array_key_exists(1.5, []));
t(fn() => key_exists([], []));
(new C)->parts();
$f = function ($x) { echo shown(debug_backtrace()), "\n"; throw new Exception((string) $x); };
t(fn() => $f(1));
t(fn() => $f->__invoke(2));
t(fn() => call_user_func([$f, '__invoke'], 3));
t(fn() => array_map([$f, '__invoke'], [4]));
t(fn() => call_user_func_array([$f, '__invoke'], ['x' => 5]));
t(fn() => $f->__invoke(...)(6));
$g = function () { echo shown(debug_backtrace(0, 2)), "\n"; yield 1; };
foreach ($g->__invoke() as $_);
