<?php
declare(strict_types=1);
// In strict mode an object with __toString is no string for a builtin.
class S { function __toString(): string { return 'a,b'; } }
function t(callable $f) { try { var_dump($f()); } catch (TypeError $e) { echo $e->getMessage(), "\n"; } }
t(fn() => strlen(new S));
t(fn() => explode(',', new S));
t(fn() => str_replace('a', 'b', new S));
t(fn() => in_array(new S, ['a,b']));
t(fn() => implode(',', [new S]));
t(fn() => array_map('strlen', [new S]));
t(fn() => iterator_to_array((function () { yield strtoupper(new S); })()));
t(fn() => strval(new S));
t(fn() => sprintf('%s', new S));
t(fn() => is_callable(new S));
t(fn() => preg_match('/a/', new S));
t(fn() => str_contains(new S, 'a'));
t(fn() => htmlspecialchars(new S));
t(fn() => number_format(1.5, 1, new S));
t(fn() => new DateTime(new S));
