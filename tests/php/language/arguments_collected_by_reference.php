<?php
// What a variadic parameter by reference collects is references that last as long as the call.
function f2(int $x, &...$y): mixed { var_dump($y); $y[0] = 9; var_dump(func_get_args()); $z = $y; unset($y); var_dump($z); return 1; }
f2(1, array_flip([]));
$a = 1; f2(1, $a); var_dump($a);
f2(1, ...[1, 2]);
$l = [1, 2]; f2(1, ...$l); var_dump($l);
call_user_func('f2', 1, 2); call_user_func_array('f2', [1, 2, 'n' => 3]);
$c = f2(...); $c(1, array_flip([]));
function g(&...$y) { yield $y; } foreach (g(array_flip([])) as $q) var_dump($q);
function h(&...$y) { unset($GLOBALS['a']); var_dump($y); } h($a);
$fiber3 = new \Fiber(function (&...$y)  {
    return [$y, ...$y];
});
$fiber3->start(2);
var_dump($fiber3->getReturn());
array_map(function(&...$y) { var_dump($y); }, [1, 2]);
class M { function __call($n, $a) { var_dump($a); } } (new M)->x(1, $l);
