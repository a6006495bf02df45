<?php
// Recursion through what runs inside of builtins and operators ends with an Error.
// options: -d memory_limit=1G
// expect: 200
// body: 10 errors
class A implements ArrayAccess
{
    function __toString(): string { return '' . new A; }
    function __get($n) { return (new A)->x; }
    function __debugInfo() { return [new A]; }
    function __serialize(): array { return [new A]; }
    function offsetGet($o): mixed { return (new A)[0]; }
    function offsetSet($o, $v): void { $a = new A; $a[0] = 1; }
    function offsetExists($o): bool { return isset((new A)[0]); }
    function offsetUnset($o): void { $a = new A; unset($a[0]); }
}
class D { function __destruct() { new D; } }
function map($x) { return array_map('map', [1]); }
function compare($x, $y) { $a = [2, 1]; usort($a, 'compare'); return 0; }
function replace($x) { return preg_replace_callback('/a/', 'replace', 'a'); }
spl_autoload_register(fn($class) => strlen($class) < 100000 ? class_exists($class . 'x') : null);
ob_start(fn() => '');
$errors = 0;
$calls = [fn() => (string) new A, fn() => (new A)->x, fn() => serialize(new A), fn() => (new A)[0],
    fn() => isset((new A)[0]), fn() => map(1), fn() => compare(1, 2), fn() => replace(1), fn() => new D, fn() => class_exists('Z')];
foreach ($calls as $number => $call) {
    try {
        $call();
    } catch (Error $e) {
        $errors++;
        continue;
    }
    $fine[] = $number;
}
ob_end_clean();
echo $errors, ' errors ', implode(' ', $fine ?? []);
