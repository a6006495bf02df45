<?php
// Where the order of operands does not matter, the simpler one is the second: messages show it.
function object() { return new stdClass; }
const LIST_OF_ONE = [1];
$array = [1];
foreach ([
    fn () => 5 * object(), fn () => object() * 5, fn () => LIST_OF_ONE | object(), fn () => STDOUT & object(),
    fn () => $array ^ object(), fn () => object() ^ $array, fn () => LIST_OF_ONE - object(), fn () => 'a' + object(),
    fn () => [] * $array, fn () => LIST_OF_ONE * $array, fn () => (object() ?? 1) * $array,
] as $try) {
    try {
        $try();
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    }
}
$self = [&$self];
foreach ([fn () => [[]] === $self, fn () => $self === [[]], fn () => $self === $self] as $try) {
    try {
        var_dump($try());
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
set_error_handler(fn ($level, $message) => print("($message)\n"));
try {
    object() . [];
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
