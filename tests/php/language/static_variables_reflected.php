<?php
class K {
    const A = 3;
    function f() { static $list = [self::A => 'a', 'b' => self::A + 1]; return $list; }
}
var_dump((new ReflectionMethod('K', 'f'))->getStaticVariables());
function counter() {
    static $n = 1, $later = strlen('abc');
    var_dump((new ReflectionFunction(__FUNCTION__))->getStaticVariables());
    $copy = &(new ReflectionFunction(__FUNCTION__))->getStaticVariables()['n'];
    $copy++;
    return $n;
}
var_dump(counter(), counter());
var_dump((new ReflectionFunction('counter'))->getStaticVariables());
