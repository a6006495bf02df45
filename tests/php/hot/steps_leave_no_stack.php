<?php
// Steps that must not leave anything on the native stack, however often they are made.
function texts($n)
{
    for ($i = 0; $i < $n; $i++) {
        yield "k$i" => "v$i";
    }
}

$last = [];
foreach (texts(200_000) as $k => $v) {
}
echo "$k $v\n";
foreach (texts(20_000) as $last['k'] => $last['v']) {
}
echo implode(' ', $last), "\n";
foreach (texts(20_000) as $k => [$v]) {
}
var_dump($k, $v);

abstract class A
{
    public static $s;
    abstract static function missing();
}
function neverReturns(): never
{
}
$thrown = [];
$missing = [A::class, 'missing'];
for ($i = 0; $i < 20_000; $i++) {
    foreach ([fn() => neverReturns(), fn() => A::missing(), fn() => A::{'missing'}(), function () { unset(A::$s); }] as $n => $f) {
        try {
            $f();
        } catch (Error $e) {
            $thrown[$n . ' ' . $e->getMessage()] = $i;
        }
    }
}
print_r($thrown);

// Generators that are destroyed in the middle of `finally`, which an exception has brought there.
function cleaning()
{
    try {
        try {
            yield 1;
        } finally {
            try {
                throw new Exception('inner');
            } finally {
                $x = 1;
            }
        }
    } catch (Exception $e) {
    } finally {
        $x = 2;
    }
}
for ($i = 0; $i < 20_000; $i++) {
    $g = cleaning();
    $g->current();
    unset($g);
}
echo "done\n";
